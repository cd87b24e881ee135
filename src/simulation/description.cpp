#include "simulation/description.hpp"

#include <cmath>

#include "base/piecewise_linear.hpp"

namespace klingel::simulation {

double Signal::at(double t) const { return base::piecewise_linear(times, values, t); }

namespace {

// Of all wheels along the track.
double mean_place(const step::VehicleState& state) {
  double sum = 0;
  for (const step::PointState& p : state.tread) sum += p.s[2];
  return sum / static_cast<double>(state.tread.size());
}

double force_of(const Driver& driver, const start::BodyCoordinates& body,
                const step::VehicleState& state) {
  const double v = std::hypot(state.dq[*body[0]], state.dq[*body[1]]);
  const double ahead = mean_place(state) + v * driver.response;
  const double wanted = base::piecewise_linear(driver.s, driver.speeds, ahead);
  return driver.mass * (wanted - v) / driver.response;
}

void set_friction(const RailFriction& friction, step::Simulator& simulator) {
  const step::VehicleState& state = simulator.state();
  for (std::size_t i = 0; i < state.tread.size(); ++i) {
    const bool left = simulator.data().wheels[i].side == profile::Side::left;
    simulator.set_friction(i,
                           base::piecewise_linear(friction.s, left ? friction.left : friction.right,
                                                  state.tread[i].s[2]));
  }
}

}  // namespace

void set_inputs(const Description& description, step::Simulator& simulator, double t) {
  for (const Signal& signal : description.inputs) simulator.set_input(signal.input, signal.at(t));
  if (description.driver)
    simulator.set_input(description.driver->input,
                        force_of(*description.driver, description.start.body, simulator.state()));
  if (description.rail_friction) set_friction(*description.rail_friction, simulator);
}

}  // namespace klingel::simulation
