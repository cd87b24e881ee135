// Steady running through a curve of constant radius and cant: the vehicle turns as a whole about
// the curve's centre, its bodies at rest against each other but for what spins, creep forces
// steering included. Found by Newton's method from the static equilibrium
//
//   M_qq ddq = delta_NK + delta_K + dphi_n_dq^T N + forward F,   phi_n = 0
//
// for the coordinates that do not grow, the rates of spin, the normal forces, and the force F that
// keeps the speed. Straight track is the curve of curvature zero. Used before the first step:
// allocates, and starts that lead nowhere are Errors.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "start/track_bed.hpp"
#include "step/simulator.hpp"

namespace klingel::start {

// A coordinate that turns with a wheelset's spin, as a rotor does by its gear.
struct GearedCoordinate {
  std::size_t coordinate = 0;
  std::size_t spin = 0;  // the coordinate that drives it
  double ratio = 1;      // rate over the rate of that one
};

struct SteadyRun {
  // Indices of the coordinates that move the vehicle as a whole: x, y, z in the ground, roll,
  // pitch, yaw; yaw must be the first rotation. All others must be relative to them, or be in
  // `grounded`: coordinates of further bodies that are given in the ground.
  std::array<std::size_t, 6> body{};
  std::vector<BodyCoordinates> grounded;
  std::vector<std::size_t> spins;  // of the wheelsets, in their order
  std::vector<GearedCoordinate> geared;
  std::vector<std::size_t> held;  // further coordinates kept while the static start is computed
  bool from_given = false;        // no static start: the state is near the steady one already

  double speed = 0;      // along the centre line, m/s, not zero
  double curvature = 0;  // 1/m, positive to the left
  // a point of the centre line, and its heading; the reference point stays beside it
  double x = 0, y = 0, heading = 0;

  double tolerance = 1e-9;  // largest unbalanced force over the weight; phi_n, m
  int most_iterations = 60;
};

struct SteadyForces {
  double forward = 0;  // force along the track at the reference point that keeps the speed, N
  int iterations = 0;
  double unbalanced = 0;  // of the weight
};

// Changes the state, which should be near: q, dq, contacts and normal forces.
SteadyForces settle_in_curve(step::Simulator& simulator, step::VehicleState& state,
                             const SteadyRun& options);

}  // namespace klingel::start
