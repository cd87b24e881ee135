#include "examples/00_expressions/motion.hpp"

#include <cmath>
#include <numbers>

#include "examples/00_expressions/pendulum.hpp"

namespace klingel::examples {

void Motion::set(State x) {
  evaluator_.set("q", {x.theta});
  evaluator_.set("dq", {x.dtheta});
}

State Motion::rate(State x) {
  set(x);
  return {x.dtheta, evaluator_.evaluate("acceleration")[0][0]};
}

State Motion::advanced(State x, double h) {
  const State k1 = rate(x);
  const State k2 = rate({x.theta + h / 2 * k1.theta, x.dtheta + h / 2 * k1.dtheta});
  const State k3 = rate({x.theta + h / 2 * k2.theta, x.dtheta + h / 2 * k2.dtheta});
  const State k4 = rate({x.theta + h * k3.theta, x.dtheta + h * k3.dtheta});
  return {x.theta + h / 6 * (k1.theta + 2 * k2.theta + 2 * k3.theta + k4.theta),
          x.dtheta + h / 6 * (k1.dtheta + 2 * k2.dtheta + 2 * k3.dtheta + k4.dtheta)};
}

Sample Motion::sample(double t, State x) {
  set(x);
  const auto energies = evaluator_.evaluate("energies");
  return {t, x, energies[0][0], energies[1][0]};
}

Run simulate(Motion& motion, double theta_0, double step, double duration) {
  Run run;
  State x{theta_0, 0};
  const int steps = static_cast<int>(std::round(duration / step));
  const int every = std::max(1, static_cast<int>(std::round(0.01 / step)));
  for (int k = 0; k <= steps; ++k) {
    const double t = k * step;
    if (k % every == 0) run.samples.push_back(motion.sample(t, x));
    const State next = motion.advanced(x, step);
    if ((next.theta < 0) != (x.theta < 0)) {
      // Newton on the time within this step: the integrator itself is the interpolation
      double h = step / 2;
      for (int i = 0; i < 6; ++i) {
        const State at = motion.advanced(x, h);
        h -= at.theta / at.dtheta;
      }
      run.crossings.push_back(t + h);
    }
    x = next;
  }
  return run;
}

double Run::period() const {
  return 2 * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

double Run::energy_drift() const {
  const Sample &first = samples.front(), &last = samples.back();
  return std::abs((last.kinetic + last.potential) / (first.kinetic + first.potential) - 1);
}

double exact_period(double theta_0) {
  double a = 1, b = std::cos(theta_0 / 2);
  while (std::abs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::numbers::pi / (a * small_frequency());
}

double small_frequency() {
  return std::sqrt(mass * gravity * length / (mass * length * length + inertia));
}

}  // namespace klingel::examples
