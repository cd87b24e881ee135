// The motion of a vehicle by the continuous equations with an error estimate: the explicit
// Runge-Kutta pair of Dormand and Prince (dopri5.hpp) on q and dq, contact coordinates and normal
// forces of the same instant in every stage (continuous.hpp), projection of q and dq after every
// accepted step. Slow, because explicit: creep forces bound its steps to a few tenths of a
// millisecond. For tests of the limit to which the step's schemes converge. It has no events: a
// wheel that would have to pull ends the run.
#pragma once

#include "reference/continuous.hpp"
#include "runtime/dopri5.hpp"

namespace klingel::reference {

class ReferenceIntegrator {
 public:
  explicit ReferenceIntegrator(step::VehicleCopy vehicle);

  double tolerance = 1e-9;    // error of q and dq per step, absolute and relative
  double first_step = 1e-4;   // s, the first attempt of every advance()
  double least_step = 1e-12;  // s

  // Moves the state on by `duration`, in as many steps as it takes. On a failure the state is
  // untouched, and the log says why.
  runtime::Status advance(step::VehicleState& state, double duration, step::StepLog& log);
  Continuous& continuous() { return at_; }
  int steps() const { return steps_; }  // accepted, of the last advance()
  int rejected() const { return rejected_; }
  // Of the last advance(), by the trapezoidal rule over its own steps.
  const step::ContactWork& work() const { return work_; }

 private:
  runtime::Status derivative(const runtime::Dopri5::Vector& x, runtime::Dopri5::Vector& dx,
                             step::StepLog& log);
  runtime::Status step(runtime::Dopri5& method, double& t, double& h, step::StepLog& log);
  runtime::Status accept(step::StepLog& log);
  struct Power {
    double creep, normal;
  };
  Power power() const;

  Continuous at_;
  std::size_t n_;
  runtime::Dopri5::Vector x_, next_, dx_, next_dx_;  // q, then dq
  int steps_ = 0, rejected_ = 0;
  step::ContactWork work_;
};

}  // namespace klingel::reference
