// Motion in time. Fixed steps (semi-implicit Euler, Runge-Kutta of order four, implicit midpoint)
// and adaptive ones (Dormand-Prince 5(4) of Boost.Odeint); with constraints each step ends with
// the projection of q and dq (mechanism.hpp).
//
//   mechanism::Integrator integrator(mechanism, {.method = mechanism::Method::rk4, .h = 1e-3});
//   if (integrator.advance(state, 10) != runtime::Status::ok) say(integrator.failure_text());
//
// A failed step leaves the state at the last good one. Fixed steps allocate nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/mechanism.hpp"
#include "mechanism/trajectory.hpp"

namespace klingel::mechanism {

enum class Method {
  semi_implicit_euler,  // order 1; where M_qq is constant energy swings but does not drift
  rk4,                  // order 4
  implicit_midpoint,    // order 2, time-reversible on trees: energy does not drift. By fixed-point
                        // iteration, so h times the highest frequency must stay below 2
  dopri5,               // order 5, adaptive
};

// "semi_implicit_euler", "rk4", "implicit_midpoint", "dopri5"; an unknown name is an Error.
std::string_view name(Method method);
Method method_by_name(std::string_view name);

struct IntegratorOptions {
  Method method = Method::rk4;
  double h = 1e-3;          // s, the step; of dopri5 only the first attempt
  double tolerance = 1e-9;  // dopri5: absolute and relative error of q and dq per step
  double h_max = std::numeric_limits<double>::infinity();  // dopri5
  Projection projection = {};
};

class AdaptiveStep;

// The mechanism must outlive it. Options out of range are an Error.
class Integrator {
 public:
  explicit Integrator(Mechanism& mechanism, const IntegratorOptions& options = {});
  Integrator(Integrator&&) noexcept;
  ~Integrator();

  // One step: of size h, or of dopri5 one accepted step.
  runtime::Status step(State& state);
  // Steps until state.t == t_end; the last one is shortened to meet it. Backwards is an Error.
  runtime::Status advance(State& state, double t_end);
  // The same, and a row for the start and one every `interval` seconds and at the end; stops early
  // when a row finds no room (rows_for() says how many are needed).
  runtime::Status simulate(State& state, double t_end, double interval, Trajectory& trajectory);

  std::int64_t steps() const { return steps_; }  // done since construction
  const IntegratorOptions& options() const { return options_; }
  const runtime::Failure& failure() const { return failure_; }
  std::string failure_text() const;

 private:
  runtime::Status step_to(State& state, double t_end);
  // Each takes start_ to q and dq of next_, which begins as a copy with the new t.
  runtime::Status fixed_step(double h);
  runtime::Status semi_implicit_euler(double h);
  runtime::Status rk4(double h);
  runtime::Status implicit_midpoint(double h);
  runtime::Status accelerations(const State& at);  // to ddq_

  Mechanism* mechanism_;
  IntegratorOptions options_;
  std::unique_ptr<AdaptiveStep> adaptive_;
  std::int64_t steps_ = 0;
  runtime::Failure failure_;
  State start_, stage_;  // of fixed steps: where they begin, where accelerations are evaluated
  State next_;           // becomes the state when the step succeeded
  std::vector<double> ddq_, lambda_;
};

// Rows that simulate() writes.
std::size_t rows_for(double t_begin, double t_end, double interval);

}  // namespace klingel::mechanism
