// The linear system of the implicit step, eliminated from the wheels to the body.
//
//   [ M_qq + h sum J^T B J - stiff   h dphi_n_dq^T ]
//   [ dphi_n_dq                           0        ]          [eq:MphiTPhiZero6]
//
// Masses and contacts sit on a tree of places (place_tree.hpp) that move as rigid bodies with what
// carries them, and by coordinates of their own. From the leaves on, every place sums up what is
// below it as a 6 x 6 matrix on its motion, eliminates the coordinates that occur nowhere else, and
// hands the rest to its parent (front.hpp): the work of an articulated-body recursion, with the
// bases of the joints, in which columns are unit vectors.
//
// A coordinate that moves two branches (the roll of an axle, and of the motor hung on it) is
// carried upwards to where they meet. Coordinates that a stiff element couples wait for each other.
// Normal forces follow when the coordinates eliminated below them can meet their constraints. What
// is left at the ground (the absolute coordinates of bodies on stiff springs) is the outer system,
// eliminated by minimum degree; wheelsets on stiff springs come before it, each at once with its
// normal forces.
//
// A wheelset that shares no coordinate with another, or whose carrier is not on the tree, is
// described in the ground instead, with its Jacobian; bodies that are not on the tree enter by
// their mass matrix, as stiff elements do.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/front.hpp"
#include "model/matrix_sum.hpp"
#include "model/place_tree.hpp"
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
  // Unknowns that no place eliminates, ascending.
  const std::vector<std::uint32_t>& outer() const { return outer_; }

  // J^T of one wrench (6) per wheelset: n generalized forces.
  std::vector<sym::Expr> generalized(std::span<const sym::Expr> wrenches) const;
  // J dq: (v_C, w_total) per wheelset.
  std::vector<sym::Expr> twists(std::span<const sym::Expr> dq) const;

 private:
  struct Part {                          // one wheelset
    std::vector<std::uint32_t> own;      // coordinates that move no other wheelset
    std::vector<std::uint32_t> carried;  // coordinates that move its carrier
    std::vector<std::uint32_t> wheels;
    bool spun = false;  // by its carrier, too
    std::size_t carrier = 0;
    mech::Triple r;                         // from the carrier's point to the centre
    std::uint32_t turning = 0, still = 0;   // places
    std::vector<std::string> with_turning;  // bodies that are not on the tree but move with these
    std::vector<std::string> with_still;
  };
  struct Carrier {
    std::size_t first;  // the wheelset whose centre is its point
    std::vector<std::uint32_t> coordinates;
    std::vector<std::size_t> parts;
    std::uint32_t place = 0;  // of wheelsets described in the ground
  };
  // Coordinates that other things than places couple: they are eliminated together.
  struct Group {
    std::vector<std::uint32_t> members;
    std::vector<sym::Entry> entries;  // that are in no front yet
    bool entered = false;             // members were eliminated together
  };
  // What is below a place.
  struct Branch {
    Front front;
    std::map<std::uint32_t, std::size_t> columns;  // of places, by coordinate
    std::vector<std::uint32_t> ready;              // coordinates that wait for a pivot
    std::vector<std::size_t> wheelsets;            // whose normal forces are not eliminated
    std::vector<std::uint32_t> gone, gone_wheels;  // what is eliminated
  };
  struct Pivots {  // of one place, before and after its coordinates join
    std::vector<Front::Block> before, after;
  };

  void find_parts();
  void find_carriers();
  bool same_carrier(std::size_t first, std::size_t k) const;
  void find_bodies(Part& part, const Wheelset& wheelset) const;
  Six column(std::size_t wheelset, std::uint32_t coordinate) const;
  Six still_column(std::size_t wheelset, std::uint32_t coordinate) const;

  void make_places();
  void place_on_tree(std::size_t k);
  void place_in_ground(std::size_t k);
  void find_groups(const StiffTangent& stiff);
  void find_wheel_motions();

  void eliminate_places();
  void load(std::uint32_t place, Branch& branch) const;
  void load_contact(std::size_t k, Branch& branch) const;
  void load_wheels(std::size_t k, Branch& branch) const;
  SixBySix inertia(const Wheelset& wheelset, std::span<const std::string> bodies) const;
  bool complete(const Branch& branch, std::uint32_t coordinate) const;
  void eliminate_ready(Branch& branch, std::vector<Front::Block>& blocks);
  void eliminate_wheels(Branch& branch, std::vector<Front::Block>& blocks) const;
  void eliminate_first(Branch& branch, std::vector<Front::Block>& blocks);
  std::vector<std::uint32_t> meeting(std::span<const std::uint32_t> wheels,
                                     std::span<const std::uint32_t> coordinates) const;
  static void merge(const Branch& from, Branch& to);
  void climb(std::uint32_t place, Front& front) const;
  Six climbed(std::uint32_t place, const Six& wrench) const;
  Six descended(std::uint32_t place, const Six& motion) const;
  void make_outer();
  static void complete_block(const Front::Block& block, std::span<const sym::Expr> b,
                             const Six& motion, std::vector<sym::Expr>& x);

  void add_projected(const Carrier& carrier, const Six& wrench,
                     std::vector<sym::Expr>& generalized) const;
  Six carrier_motion(const Carrier& carrier, std::span<const sym::Expr> dq) const;
  sym::Expr zero() const { return model_.number(0); }
  Six nothing() const;

  mech::Model& model_;
  std::span<const Wheelset> wheelsets_;
  std::span<const WheelsetMotion> motions_;
  const StepSymbols& symbols_;
  std::size_t n_, w_ = 0;
  std::vector<Part> parts_;
  std::vector<Carrier> carriers_;
  PlaceTree tree_;
  std::vector<bool> late_;            // places that eliminate nothing before their columns join
  std::vector<std::string> on_tree_;  // bodies, or moving with wheelsets
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;  // by coordinate
  std::vector<std::size_t> columns_;     // of all places, by coordinate
  // dphi_n_dq at nominal values, by wheel and coordinate; zero where there is none
  std::vector<std::map<std::uint32_t, double>> wheel_motions_;
  std::vector<Pivots> pivots_;        // by place
  MatrixSum left_;                    // at the ground
  std::vector<std::uint32_t> outer_;  // rows of the whole system that the outer one has
  std::unique_ptr<sym::Factors> factors_;
};

}  // namespace klingel::model
