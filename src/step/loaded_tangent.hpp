// How the wrenches of loaded contacts on wheelsets in a step change with place and motion of the
// wheelsets. With w = b - B u_end of a wheelset (loaded_share.hpp), all its contacts together,
//
//   dw/d(place), dw/d(twist)  by central differences of the contacts, as the step evaluates them
//   dw/d(bias)                -h times what creep and the approach at t+h answer an acceleration
//   dw/d(u_end) = -B                                                      [eq:contacttangent]
//
// w depends on the axis of the wheelset but not on turns about it. If wanted, also the forces on
// wheels that results have, and derivatives of both by moved rails and by friction. Lines of N and
// secants of creep are those of t: steps that renew them are not described. Nor are rails that give
// way. Allocates in the constructor only.
#pragma once

#include <span>
#include <vector>

#include "step/loaded_treads.hpp"
#include "step/rail_shift.hpp"
#include "step/vehicle_state.hpp"

namespace klingel::step {

// Of a step that was done.
struct StepMotion {
  std::span<const double> poses, twists, biases;  // of wheelsets at t: 12, 7, 6 numbers each
  std::span<const double> twists_end;             // u_end: 6 numbers each
};

class LoadedTangent {
 public:
  // Columns: displacement (3) and rotation (3) in the ground; twist (7), bias
  // (6), u_end (6).
  static constexpr std::size_t columns = 25, u_end = 19;
  // Columns by rails: moved to the left, up, up at the left and down at the
  // right wheel by half of it; and rates of these.
  static constexpr std::size_t rail_columns = 6;
  struct Wanted {
    bool forces = false, rails = false, friction = false;
  };

  // The vehicle must have loaded treads on rails that do not give way, and must
  // outlive it.
  LoadedTangent(const Description& vehicle, Wanted wanted);
  static bool describes(const Description& vehicle);

  // Of the step that follows: where its rails were moved to at its beginning.
  // Not at first.
  void shift_rail(std::size_t wheel, const RailShift& by);

  // state: at t, for the feet of the wheels. False if a difference goes over an
  // event: a wheel or a flange that touches on one side only, or leaves its
  // chart.
  bool find(const StepMotion& motion, const VehicleState& state,
            const std::vector<double>& friction, double h, double theta);

  // Matrices by columns, one after another, by wheelset: w (6 numbers), 6 x 25,
  // 6 x 6.
  std::span<const double> w() const { return w_; }
  std::span<const double> dw() const { return dw_; }
  std::span<const double> dw_rails() const { return dw_rails_; }
  std::span<const double> dw_friction() const { return dw_friction_; }  // by wheel, 6 numbers
  // By wheel: forces (3 numbers, ground), 3 x 25, 3 x 6, and by friction (3).
  std::span<const double> force() const { return force_; }
  std::span<const double> dforce() const { return dforce_; }
  std::span<const double> dforce_rails() const { return dforce_rails_; }
  std::span<const double> dforce_friction() const { return dforce_friction_; }

 private:
  using Answer = StepWrench;
  struct Rows;  // place and motion of four wheelsets
  struct Way {  // which sheets of a set act, and how
    unsigned tread = 0, flange = 0, has = 0, inside = 0;
    bool operator==(const Way&) const = default;
  };
  Way way_of(std::size_t g) const;
  Answer evaluate(std::size_t g, const Rows& rows);
  // Of a change by `delta` and its opposite; change(rows, 0) takes back what is
  // not in the rows.
  template <class Change>
  bool differ(std::size_t g, const Rows& rows, double delta, Change change, Answer& to);
  bool find(std::size_t g, const StepMotion& motion);
  bool find_by_rails(std::size_t g, const Rows& rows);
  bool find_by_friction(std::size_t g, const Rows& rows);
  void find_analytic(std::size_t g);
  void add(std::size_t g, std::size_t column, const Answer& by);

  const Description& vehicle_;
  const Wanted wanted_;
  LoadedTreads treads_;
  double h_ = 0, theta_ = 0;
  std::vector<double> friction_;
  std::vector<RailShift> shifts_;  // by wheel
  base::Pack u_end_[6] = {};
  std::vector<Way> ways_;         // of the step, by set
  std::vector<base::Pack> feet_;  // by set
  std::vector<double> w_, dw_, dw_rails_, dw_friction_;
  std::vector<double> force_, dforce_, dforce_rails_, dforce_friction_;
};

}  // namespace klingel::step
