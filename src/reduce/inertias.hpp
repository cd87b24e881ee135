// The masses of a mechanism by what they act through. With the inertial parameters of a body about
// its point P (mass m, first moment s = m c, inertia J), in its base D, the energies are linear:
//
//   T = sum 1/2 m v_P^2 + v_P . (w_D x s) + 1/2 w_D J w_D,   V = - sum g . (m r_P + s)
//
// So m belongs to a point, J to a base and s to both, whatever body they come from. Parameters
// that act alike may be put together: the rules of Khalil and Gautier for trees, here for trees of
// points and of bases that may branch differently. A move keeps T and, up to a constant, V:
//
//   m of P        to its parent O, if the edge r from O is constant in its base F:
//                 m of O, m r of (O, F), m (r.r E - r r^T) of F
//   s of (P, D)   to (O, D), if the edge r from O is constant in D: J of D gets
//                 2 r.s E - r s^T - s r^T
//   s of (P, D)   to (P, E), if D turns about an axis k in its parent E: the component along k
//   J of D        to E, if D turns about k in E: a in the two directions across k, any a
//   s, J of D     wholly, if D is fixed in E
//
// What has no velocity and no changing weight is dropped.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mech/model.hpp"

namespace klingel::reduce {

using mech::Block;
using mech::Expr;
using mech::Triple;

// Which moves are made, by the point or the base something is taken from.
struct Moves {
  std::vector<bool> points, bases;
  static Moves all(const mech::Model& model);
};

class Inertias {
 public:
  explicit Inertias(mech::Model& model);  // as its bodies say

  void regroup(const Moves& moves);
  // What a regrouping with these moves took away from points and bases, for those who try others.
  const Moves& used() const { return used_; }
  // Ready for Model::regroup.
  std::vector<mech::Body> bodies() const;

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // point and base

  void add(const mech::Body& body);
  void add_mass(std::uint32_t point, Expr m);
  void add_moment(Pair at, const Triple& s);
  void add_inertia(std::uint32_t base, const Block& J);
  void drop_without_effect(Pair at, Triple& s) const;
  void drop_without_effect(std::uint32_t base, Block& J) const;
  void move_mass(std::uint32_t point);
  void move_moment(Pair at, const Moves& moves);
  void move_inertia(std::uint32_t base, const Moves& moves);
  std::uint32_t point_for(std::uint32_t base) const;
  Expr zero() const { return model_.number(0); }
  Triple no_triple() const { return {zero(), zero(), zero()}; }
  Block no_block() const;

  mech::Model& model_;
  std::map<std::uint32_t, Expr> m_;
  std::map<Pair, Triple> s_;
  std::map<std::uint32_t, Block> J_;
  Moves used_;
};

// The coordinate axis about which a base turns in its parent, 3 if there is none.
std::size_t turning_axis(const mech::BaseNode& base);

// One number of the list of inertial parameters.
struct InertialParameter {
  std::string name;  // "m(link1)", "s_x(link1)", "J_xy(link1)"
  Expr value;
};
// Those of the bodies that are not zero, about their points.
std::vector<InertialParameter> inertial_parameters(const std::deque<mech::Body>& bodies);

}  // namespace klingel::reduce
