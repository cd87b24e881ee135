// How the wrenches of loaded contacts on wheelsets in a step change with place and motion of the
// wheelsets. With w = b - B u_end of a wheelset (loaded_share.hpp), all its contacts together,
//
//   dw = dw/d(place) + dw/d(twist) + dw/d(bias) - B du_end                [eq:contacttangent]
//
// four wheels at a time (loaded_slopes.hpp). w depends on the axis of the wheelset but not on turns
// about it. If wanted, also the forces on wheels that results have, and derivatives of both by
// moved rails and by friction. Lines of N and secants of creep are those of t: steps that renew
// them are not described. Nor are rails that give way. Allocates in the constructor only.
#pragma once

#include <span>
#include <vector>

#include "step/loaded_slopes.hpp"
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
  // Columns: displacement (3) and rotation (3) in the ground; twist (7), bias (6), u_end (6).
  static constexpr std::size_t columns = wrench_columns, u_end = 19;
  // Columns by rails: moved to the left, up, up at the left and down at the right wheel by half of
  // it; and rates of these.
  static constexpr std::size_t rail_columns = step::rail_columns;
  using Wanted = LoadedSlopes::Wanted;

  // The vehicle must have loaded treads on rails that do not give way, and must outlive it.
  LoadedTangent(const Description& vehicle, Wanted wanted);
  static bool describes(const Description& vehicle);

  // Of the step that follows: where its rails were moved to at its beginning. Not at first.
  void shift_rail(std::size_t wheel, const RailShift& by);

  // state: at t, for the feet of the wheels. False if a wheel leaves its chart.
  bool find(const StepMotion& motion, const VehicleState& state,
            const std::vector<double>& friction, double h, double theta);

  // Matrices by columns, one after another, by wheelset: w (6 numbers), 6 x 25, 6 x 6.
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
  void add_wheelsets(std::size_t g, WrenchSlopes& of);
  void put_wheels(std::size_t g, WrenchSlopes& of);

  const Description& vehicle_;
  const Wanted wanted_;
  const LoadedTreads treads_;  // how wheels are put into sets, and their springs
  std::vector<LoadedSlopes> sets_;
  std::vector<double> w_, dw_, dw_rails_, dw_friction_;
  std::vector<double> force_, dforce_, dforce_rails_, dforce_friction_;
};

}  // namespace klingel::step
