// The integrators of mechanism/ on pendulums, whose period is an elliptic integral: each has the
// order it claims, energy behaves as its kind of method says, the adaptive one keeps its tolerance,
// and a pendulum held by a constraint swings like the one with an angle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "tests/physics/mechanism_models.hpp"

namespace klingel::physics {
namespace {

using mechanism::Integrator;
using mechanism::Method;
using mechanism::State;
using runtime::Status;

constexpr double amplitude = 1.2, pi = 3.14159265358979323846;

State released(mechanism::Mechanism& m) {
  State state = m.nominal_state();
  if (m.coordinates() == 1) {
    state.q = {amplitude};
  } else {
    state.q = {0.7 * std::sin(-amplitude), -0.7 * std::cos(amplitude)};
    mechanism::assemble(m, state);
  }
  return state;
}

double total_energy(mechanism::Mechanism& m, const State& state) {
  const mechanism::Energy e = m.energy(state);
  return e.kinetic + e.potential;
}

// How wrong q and dq are after one period, in which everything should come back; rates are
// compared with those of a linear pendulum.
double error_after_a_period(mechanism::Mechanism& m, Method method, int steps) {
  const double period = pendulum_period(amplitude);
  Integrator integrator(m, {.method = method, .h = period / steps});
  const State start = released(m);
  State state = start;
  EXPECT_EQ(integrator.advance(state, period), Status::ok) << integrator.failure_text();
  EXPECT_EQ(integrator.steps(), steps);
  double error = 0;
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    error = std::max(error, std::abs(state.q[i] - start.q[i]));
    error = std::max(error, std::abs(state.dq[i]) * period / (2 * pi));
  }
  return error;
}

// Slope of log(error) over log(h).
double order(mechanism::Mechanism& m, Method method, int steps) {
  return std::log2(error_after_a_period(m, method, steps) /
                   error_after_a_period(m, method, 2 * steps));
}

// Largest departure from the energy at the start, in a simulation of so many periods.
double energy_swing(mechanism::Mechanism& m, Method method, int periods, int steps_per_period) {
  const double period = pendulum_period(amplitude);
  Integrator integrator(m, {.method = method, .h = period / steps_per_period});
  State state = released(m);
  const double start = total_energy(m, state);
  double swing = 0;
  for (int i = 0; i < periods * steps_per_period; ++i) {
    if (integrator.step(state) != Status::ok) ADD_FAILURE() << integrator.failure_text();
    swing = std::max(swing, std::abs(total_energy(m, state) - start));
  }
  return swing;
}

TEST(pendulum, rk4_is_of_fourth_order) {
  Simulated p = pendulum();
  EXPECT_NEAR(order(p.mechanism, Method::rk4, 200), 4, 0.05);
}

TEST(pendulum, implicit_midpoint_is_of_second_order) {
  Simulated p = pendulum();
  EXPECT_NEAR(order(p.mechanism, Method::implicit_midpoint, 200), 2, 0.02);
}

// over a whole period the first-order errors of a symmetric swing cancel; a quarter shows them
TEST(pendulum, semi_implicit_euler_is_of_first_order) {
  Simulated p = pendulum();
  const auto error = [&](int steps) {
    const double quarter = pendulum_period(amplitude) / 4;
    Integrator integrator(p.mechanism,
                          {.method = Method::semi_implicit_euler, .h = quarter / steps});
    State state = released(p.mechanism);
    EXPECT_EQ(integrator.advance(state, quarter), Status::ok);
    return std::abs(state.q[0]);
  };
  EXPECT_NEAR(std::log2(error(100) / error(200)), 1, 0.05);
}

TEST(pendulum, period_is_the_elliptic_integral) {
  Simulated p = pendulum();
  EXPECT_LT(error_after_a_period(p.mechanism, Method::rk4, 2000), 1e-10);
}

TEST(pendulum, the_adaptive_one_keeps_its_tolerance_with_fewer_steps) {
  Simulated p = pendulum();
  const double period = pendulum_period(amplitude);
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    Integrator integrator(p.mechanism, {.method = Method::dopri5, .tolerance = tolerance});
    State state = released(p.mechanism);
    EXPECT_EQ(integrator.advance(state, period), Status::ok);
    // errors of all steps add up
    EXPECT_LT(std::abs(state.q[0] - amplitude), 30 * tolerance);
    EXPECT_LT(std::abs(state.dq[0]), 30 * tolerance);
    EXPECT_LT(integrator.steps(), 500);
  }
}

TEST(pendulum, a_symmetric_method_does_not_gain_or_lose_energy) {
  Simulated p = pendulum();
  const double few = energy_swing(p.mechanism, Method::implicit_midpoint, 2, 100);
  const double many = energy_swing(p.mechanism, Method::implicit_midpoint, 100, 100);
  EXPECT_LT(many, 1.01 * few);
  EXPECT_LT(many, 0.01);  // of 13.7 J
  const double euler_few = energy_swing(p.mechanism, Method::semi_implicit_euler, 2, 100);
  EXPECT_LT(energy_swing(p.mechanism, Method::semi_implicit_euler, 100, 100), 1.01 * euler_few);
}

TEST(pendulum, implicit_midpoint_finds_its_way_back) {
  Simulated p = pendulum();
  Integrator integrator(p.mechanism, {.method = Method::implicit_midpoint, .h = 0.02});
  State state = released(p.mechanism);
  state.dq[0] = 0.4;
  for (int i = 0; i < 500; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
  state.dq[0] = -state.dq[0];
  for (int i = 0; i < 500; ++i) ASSERT_EQ(integrator.step(state), Status::ok);
  // only rounding of 1,000 steps is left, and its growth
  EXPECT_NEAR(state.q[0], amplitude, 1e-11);
  EXPECT_NEAR(state.dq[0], -0.4, 1e-11);
}

TEST(pendulum, on_a_rod_projection_keeps_the_order_of_each_method) {
  Simulated p = rod_pendulum();
  EXPECT_GT(order(p.mechanism, Method::rk4, 200), 3.9);
  EXPECT_GT(order(p.mechanism, Method::implicit_midpoint, 200), 1.9);
  EXPECT_GT(order(p.mechanism, Method::semi_implicit_euler, 200), 0.95);
}

TEST(pendulum, on_a_rod_closed_and_without_drift_of_energy) {
  Simulated p = rod_pendulum();
  for (const Method method :
       {Method::semi_implicit_euler, Method::rk4, Method::implicit_midpoint}) {
    const double few = energy_swing(p.mechanism, method, 2, 400);
    const double many = energy_swing(p.mechanism, method, 20, 400);
    // RATTLE's steps do not drift; the others by their order
    EXPECT_LT(many, method == Method::semi_implicit_euler ? 1.01 * few : 11 * few);
    // of 8.8 J between top and bottom of the swing
    EXPECT_LT(many, method == Method::semi_implicit_euler ? 0.1 : 1e-3);
  }
}

TEST(pendulum, held_twice_swings_the_same) {
  Simulated once = rod_pendulum();
  for (const double scale : {1.0, -1e3, 1e-3}) {
    Simulated twice = rod_pendulum(scale);
    State a = released(once.mechanism), b = released(twice.mechanism);
    for (const Method method :
         {Method::semi_implicit_euler, Method::rk4, Method::implicit_midpoint, Method::dopri5}) {
      Integrator one(once.mechanism, {.method = method, .h = 2e-3});
      Integrator two(twice.mechanism, {.method = method, .h = 2e-3});
      EXPECT_EQ(one.advance(a, a.t + 2), Status::ok);
      EXPECT_EQ(two.advance(b, b.t + 2), Status::ok) << two.failure_text();
      // the tolerance of the projection, and its growth over 2 s
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(a.q[i], b.q[i], 1e-8) << mechanism::name(method);
      b = a;
    }
  }
}

TEST(pendulum, its_outputs_are_recorded) {
  Simulated p = pendulum();
  mechanism::Trajectory trajectory(p.mechanism, mechanism::rows_for(0, 1, 0.1), {"height"});
  Integrator integrator(p.mechanism);
  State state = released(p.mechanism);
  EXPECT_EQ(integrator.simulate(state, 1, 0.1, trajectory), Status::ok);
  const auto height = trajectory.column("height");
  const auto potential = trajectory.column("potential_energy [J]");
  ASSERT_EQ(height.size(), 11u);
  for (std::size_t i = 0; i < height.size(); ++i)
    EXPECT_NEAR(potential[i], 2 * gravity * height[i], 1e-12);
}

}  // namespace
}  // namespace klingel::physics
