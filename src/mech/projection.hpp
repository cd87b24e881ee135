// Virtual power with grouping: forces are summed up the tree of points, moments up the tree of
// bases, and each sum is projected once on the motion its edge allows.
//
// The velocity of a point is the sum over its path of  dr_k/dt + w_k x r_k  (r_k the edge, w_k the
// angular velocity of the base it is written in), and w is the sum over the path of bases. Hence
// the power of a force F at a point is that of F on every edge of its path, plus that of the
// moments r_k x F on the bases of these edges. Points and bases may branch differently.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "mech/model.hpp"

namespace klingel::mech {

// A coordinate's share in the motion of one edge: d(dr/dt)/d(dq) of a point's edge, or
// d(w_PB)/d(dq) of a base, components in the edge's base.
struct Motion {
  std::uint32_t coordinate;
  bool rotation;
  std::uint32_t edge;  // index of the point or of the base
  Triple direction;
};

std::vector<Motion> motions_of(Model& model);

class Projection {
 public:
  // `points` are those of the model, perhaps with more appended.
  Projection(Model& model, const std::vector<PointNode>& points,
             const std::vector<Motion>& motions);

  void add_force(std::uint32_t point, const Vector& force);
  void add_moment(std::uint32_t base, const Vector& moment);
  // On a body, components in the base its inertia is described in. Only the part along the spin
  // acts on the base that spins: turned there and back the rest would bring the angle in again.
  void add_moment(const Body& body, const Triple& moment);

  // Reports the power of all that was added, per motion with rate 1. Empties the sums.
  using Report = std::function<void(std::size_t motion, Expr power)>;
  void project(const Report& report);

 private:
  // sums by index; the largest index is always a leaf of what is left
  using Sums = std::map<std::uint32_t, Triple, std::greater<>>;
  static void accumulate(Sums& sums, std::uint32_t index, const Triple& value);

  Model& model_;
  const std::vector<PointNode>& points_;
  const std::vector<Motion>& motions_;
  std::vector<std::vector<std::size_t>> of_point_, of_base_;  // motions by edge
  Sums forces_, moments_;                                     // in the edge's base; in the base
};

}  // namespace klingel::mech
