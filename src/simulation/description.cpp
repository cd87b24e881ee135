#include "simulation/description.hpp"

#include "base/piecewise_linear.hpp"

namespace klingel::simulation {

double Signal::at(double t) const { return base::piecewise_linear(times, values, t); }

void set_inputs(const Description& description, step::Simulator& simulator, double t) {
  for (const Signal& signal : description.inputs) simulator.set_input(signal.input, signal.at(t));
}

}  // namespace klingel::simulation
