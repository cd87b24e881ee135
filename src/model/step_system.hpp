// The linear system of the implicit step, eliminated from the wheels to the body.
//
//   [ M_qq + h sum J^T B J - stiff   h dphi_n_dq^T ]
//   [ dphi_n_dq                           0        ]          [eq:MphiTPhiZero6]
//
// A wheelset is moved by coordinates of its own (lift, roll, spin) and, as a rigid body, by what
// carries it. Its own coordinates and the normal forces of its wheels are eliminated before
// anything else is known of the vehicle: what is left is a 6 x 6 matrix K on the motion of the
// carrier, and wheelsets on one carrier (a bogie) add their K up before it is projected on the
// coordinates of carrier and body. This is the elimination order "leaves first" with the work of
// an articulated-body recursion.
//
// A coordinate of its own that moves other bodies, too (the roll of an axle that carries a motor),
// or that a stiff element acts on, is kept for the outer system; so are the normal forces if the
// coordinates that are left cannot meet their constraints. A wheelset that its carrier can spin is
// not eliminated at all.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/matrix_sum.hpp"
#include "model/spatial.hpp"
#include "model/vehicle_interface.hpp"
#include "model/wheelset_motion.hpp"
#include "sym/linear_solve.hpp"

namespace klingel::model {

// Symbols of the stage "system", as vehicle_interface.hpp lists them.
struct StepSymbols {
  sym::Expr h;
  // weights of the tangents of stiff elements: of dF/dq and dF/ddq in the matrix, of dF/dq dq on
  // the right
  sym::Expr tangent_q, tangent_dq, push;
  std::vector<sym::Expr> B, b, W_n, active;
};

// -tangent_q dF/dq - tangent_dq dF/ddq of stiff elements, by coordinates.
using StiffTangent = sym::Matrix;

class StepSystem {
 public:
  StepSystem(mech::Model& model, std::size_t coordinates, std::span<const Wheelset> wheelsets,
             std::span<const WheelsetMotion> motions, const StepSymbols& symbols,
             const StiffTangent& stiff);

  // x of the system for the right-hand side rhs, both n coordinates then w wheels.
  std::vector<sym::Expr> solve(std::span<const sym::Expr> rhs) const;
  // The smallest of all pivots.
  sym::Expr smallest_pivot() const;

  // J^T of one wrench (6) per wheelset: n generalized forces.
  std::vector<sym::Expr> generalized(std::span<const sym::Expr> wrenches) const;
  // J dq: (v_C, w_total) per wheelset.
  std::vector<sym::Expr> twists(std::span<const sym::Expr> dq) const;

 private:
  struct Part {                          // one wheelset
    std::vector<std::uint32_t> own;      // coordinates eliminated here
    std::vector<std::uint32_t> kept;     // coordinates of its own for the outer system
    std::vector<std::uint32_t> carried;  // coordinates that move its carrier
    std::vector<std::uint32_t> wheels;
    std::vector<std::string> spinning, still;  // bodies that turn with it, or follow it
    bool condensed = false;
    bool wheels_inside = false;             // their normal forces are eliminated here
    std::unique_ptr<sym::Factors> factors;  // own, wheels, kept, motion of the carrier
    std::vector<std::uint32_t> rest;        // rows of the whole system that are kept
    SixBySix K;
    std::size_t carrier = 0;
    mech::Triple r;  // from the carrier's point to the centre
  };
  struct Carrier {
    std::size_t first;  // the wheelset whose centre is its point
    std::vector<std::uint32_t> coordinates;
    std::vector<std::size_t> parts;
  };

  void find_parts();
  void find_bodies(Part& part, const Wheelset& wheelset) const;
  void find_kept(const StiffTangent& stiff);
  std::vector<double> wheel_motions() const;
  void find_carriers();
  bool same_carrier(std::size_t first, std::size_t k) const;
  void condense(std::size_t k);
  void make_outer(const StiffTangent& stiff);
  void add_rest(const Part& part, MatrixSum& A) const;
  SixBySix inertia(const Wheelset& wheelset, std::span<const std::string> bodies) const;
  Six column(std::size_t wheelset, std::uint32_t coordinate) const;
  void add_projected(const Carrier& carrier, const Six& wrench,
                     std::vector<sym::Expr>& generalized) const;
  Six carrier_motion(const Carrier& carrier, std::span<const sym::Expr> dq) const;
  sym::Expr zero() const { return model_.number(0); }

  mech::Model& model_;
  std::span<const Wheelset> wheelsets_;
  std::span<const WheelsetMotion> motions_;
  const StepSymbols& symbols_;
  std::size_t n_, w_ = 0;
  std::vector<Part> parts_;
  std::vector<Carrier> carriers_;
  sym::Matrix M_rest_{0, 0};
  std::vector<std::uint32_t> outer_;  // rows of the whole system that the outer one has
  std::unique_ptr<sym::Factors> factors_;
};

}  // namespace klingel::model
