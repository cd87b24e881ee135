// The pendulum in motion: a fixed step of the classical Runge-Kutta method over its kernels, and
// what mathematics says about the result.
#pragma once

#include <cstddef>
#include <vector>

#include "exec/evaluator.hpp"

namespace klingel::examples {

struct State {
  double theta, dtheta;  // rad, rad/s
  friend bool operator==(const State&, const State&) = default;
};

struct Sample {
  double t;
  State x;
  double kinetic, potential;  // J
};

// The pendulum as its kernels know it. Setting an input makes its stage and the later ones due; the
// evaluator calls what is due before the function it is asked for.
class Motion {
 public:
  explicit Motion(const exec::Kernel& kernel) : evaluator_(kernel) {}

  State advanced(State x, double h);
  Sample sample(double t, State x);

  double smallest_pivot() const { return evaluator_.output("acceleration", "smallest_pivot")[0]; }
  std::size_t evaluations(const char* stage) const { return evaluator_.evaluations(stage); }

 private:
  void set(State x);
  State rate(State x);

  exec::Evaluator evaluator_;
};

// Released at rest; every 10 ms a sample.
struct Run {
  std::vector<Sample> samples;
  std::vector<double> crossings;  // times at which it hangs down

  double period() const;
  double energy_drift() const;  // relative, from the first sample to the last
};

Run simulate(Motion& motion, double theta_0, double step, double duration);

// T = 4 sqrt(J / (m g l)) K(sin(theta_0/2)), the elliptic integral K by the arithmetic-geometric
// mean: K(k) = pi / (2 agm(1, sqrt(1 - k^2))).
double exact_period(double theta_0);

// Of the linearised pendulum, rad/s.
double small_frequency();

}  // namespace klingel::examples
