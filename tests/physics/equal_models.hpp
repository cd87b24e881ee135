// Small mechanisms that stress the idea of two trees: points and bases that branch differently,
// coordinates used twice, time, odd rotations, spinning bodies. Used to compare formalisms and to
// check the kinematic operators; numbers are invented and generic.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <vector>

#include "mech/model.hpp"

namespace klingel::test {

struct Mechanism {
  const char* name;
  void (*build)(mech::Model&);
};
inline void PrintTo(const Mechanism& mechanism, std::ostream* out) { *out << mechanism.name; }

const std::vector<Mechanism>& mechanisms();

// A mechanism of 3 to 12 coordinates with random trees, bodies, forces and gravity.
void build_random(mech::Model& model, std::uint64_t seed);

// A free body by three translations and Euler parameters, with a pendulum on it. Apart from the
// others because its equations hold on |e| = 1 only.
struct FreeBody {
  std::array<sym::Coordinate, 4> e;
};
FreeBody build_euler_parameters(mech::Model& model);

// A wheelset on a swinging carrier. `shared`: two moments are one parameter, so that the spin may
// vanish; else two parameters of the same value.
sym::Coordinate build_wheelset(mech::Model& model, bool shared);

}  // namespace klingel::test
