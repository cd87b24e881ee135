// How a run begins: contacts found from the coordinates alone, equilibrium with chosen coordinates
// held, wheels rolling. Used before the first step; allocates, and wrong or impossible starts are
// Errors.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "step/simulator.hpp"

namespace klingel::step {
class VehicleCopy;
}

namespace klingel::start {

// The abscissa of the rail line's point nearest to a point of the ground.
double nearest_abscissa(const track::RailLine& line, const spline::Vec3& point);

// Tread and flange points of every wheel for the coordinates q, searched over the whole profiles.
// The wheels may stand above or overlap the rail by a few millimetres. An Error names the wheel
// that has no rail below it.
void find_contacts(step::Simulator& simulator, step::VehicleState& state);
void find_contacts(step::VehicleCopy& copy, step::VehicleState& state);

// Static equilibrium with all wheels on their rails and no creep forces: q and normal forces such
// that delta_NK(q, dq = 0) + dphi_n_dq^T N = 0 and phi_n = 0, changing all coordinates that are not
// held. Newton's method from the given state, whose velocities are ignored and left as they are; an
// Error if it does not converge, or if a wheel would have to pull.
struct Equilibrium {
  std::vector<std::size_t> held;  // coordinates
  double tolerance = 1e-9;  // largest unbalanced force over the weight on the wheels; phi_n, m
  int most_iterations = 50;
  // Where contacts jump to and fro between two points that both carry, there is no equilibrium of
  // one of them: the best that was found will do, if it is as good as this.
  double good_enough = 1e-3;
  bool grip = false;  // wheelsets stay where they are across the track and in yaw, as by friction
};
void settle(step::Simulator& simulator, step::VehicleState& state, const Equilibrium& options);
void settle(step::VehicleCopy& copy, step::VehicleState& state, const Equilibrium& options);

// Velocities: moves dq onto dphi_n_dq dq = 0, the smallest change in the metric of the mass matrix,
// and gives the contact coordinates their rates.
void project_velocities(step::Simulator& simulator, step::VehicleState& state);
void project_velocities(step::VehicleCopy& copy, step::VehicleState& state);

// Mean rolling radius of the wheels of a wheelset: distance of the tread points from the axis. The
// contacts of the copy are evaluated at the state.
double rolling_radius(step::Simulator& simulator, const step::VehicleState& state,
                      std::size_t wheelset);
double rolling_radius(step::VehicleCopy& copy, const step::VehicleState& state,
                      std::size_t wheelset);

}  // namespace klingel::start
