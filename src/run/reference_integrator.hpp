// The motion of a vehicle by the continuous equations with an error estimate: the explicit
// Runge-Kutta pair of Dormand and Prince (dopri5.hpp) on q and dq, contact coordinates and normal
// forces of the same instant in every stage (continuous.hpp), projection of q and dq after every
// accepted step. Slow, because explicit: creep forces bound its steps to a few tenths of a
// millisecond. For tests that ask what the step's schemes converge to. It knows no events: a wheel
// that would have to pull ends the run.
#pragma once

#include "run/continuous.hpp"
#include "run/dopri5.hpp"

namespace klingel::run {

class ReferenceIntegrator {
 public:
  explicit ReferenceIntegrator(Simulator::Parts& parts);

  double tolerance = 1e-9;    // error of q and dq per step, absolute and relative
  double first_step = 1e-4;   // s, the first attempt of every advance()
  double least_step = 1e-12;  // s

  // Moves the state on by `duration`, in as many steps as it takes. On a failure the state is
  // untouched, and parts.failure says why.
  Status advance(VehicleState& state, double duration);
  int steps() const { return steps_; }  // accepted, of the last advance()
  int rejected() const { return rejected_; }

 private:
  Status derivative(const Dopri5::Vector& x, Dopri5::Vector& dx);
  Status step(Dopri5& method, double& t, double& h);
  Status accept();

  Simulator::Parts& p_;
  Continuous at_;
  std::size_t n_;
  Dopri5::Vector x_, next_, dx_, next_dx_;  // q, then dq
  int steps_ = 0, rejected_ = 0;
};

}  // namespace klingel::run
