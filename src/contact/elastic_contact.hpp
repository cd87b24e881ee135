// The normal force of an elastic contact point, such as the flange's, from the overlap of the
// surfaces and its rate, with the tangents an implicit step needs. Two laws:
//
//   linear  N = k delta + c d(delta)/dt
//   hertz   N = k delta^(3/2) (1 + c d(delta)/dt), damping after Hunt and Crossley
//
// Surfaces do not pull: where the formula is negative, and where they do not overlap, force and
// tangents are zero. The linear law with damping jumps at touch-down by c d(delta)/dt, the other
// does not. Creep forces of the point are those of any contact with this N.
#pragma once

#include "base/pack.hpp"

namespace klingel::contact {

enum class ElasticLaw { linear, hertz };

struct ElasticContact {
  ElasticLaw law = ElasticLaw::linear;
  double k = 0;  // N/m or N/m^(3/2), the latter from HertzPatch::stiffness
  double c = 0;  // N s/m or s/m
};

template <class T>
struct ElasticForceOf {
  T N{};
  T dN_ddelta{};  // N/m
  T dN_drate{};   // N s/m
};
using ElasticForce = ElasticForceOf<double>;

// Overlap delta in m, positive when the surfaces overlap, and its rate in m/s.
ElasticForce elastic_force(const ElasticContact& contact, double delta, double rate) noexcept;
ElasticForceOf<base::Pack> elastic_force(const ElasticContact& contact, const base::Pack& delta,
                                         const base::Pack& rate) noexcept;

}  // namespace klingel::contact
