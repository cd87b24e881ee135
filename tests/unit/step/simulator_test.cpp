// The vehicle's step: no allocation, the same bits again, two at once, wheels that leave the rail
// and come back, and failures that leave the state as it was.
#include "step/simulator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <regex>
#include <thread>

#include "runtime/dense_matrix.hpp"
#include "step/vehicle_state_file.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/simple_vehicle.hpp"

namespace klingel::step {
namespace {

using support::SimpleGeometry;
using support::SimpleVehicle;

constexpr double mass = 1250;

SimpleVehicle wheelset(const SimpleGeometry& g = {}) {
  return support::simple_vehicle("test_wheelset", g, [&](mech::Model& m) {
    return support::free_wheelset(m, mass, 700, 100, g.r0 + 1e-4);
  });
}

VehicleState rolling(Simulator& s, double speed, double offset, double r0 = 0.45) {
  VehicleState state = s.state();
  state.q = {0, offset, r0 + 1e-4, 0, 0, 0};
  start::settle(s, state, {.held = {0, 1, 3, 5}});
  state.dq = {speed, 0, 0, 0, 0, speed / start::rolling_radius(s, state, 0)};
  start::project_velocities(s, state);
  return state;
}

void expect_same(const VehicleState& a, const VehicleState& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.dq, b.dq);
  for (std::size_t i = 0; i < a.tread.size(); ++i) {
    EXPECT_EQ(a.tread[i].s, b.tread[i].s);
    EXPECT_EQ(a.tread[i].N, b.tread[i].N);
  }
}

TEST(simulator, steps_do_not_allocate) {
  SimpleVehicle v = wheelset();
  rolling(*v.simulator, 20, 1e-3);
  ASSERT_EQ(v.simulator->step(1e-3), runtime::Status::ok);
  const std::size_t before = klingel::test::allocation_count();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(v.simulator->step(1e-3), runtime::Status::ok);
  EXPECT_EQ(klingel::test::allocation_count(), before);
}

TEST(simulator, saved_state_goes_on_bit_for_bit) {
  SimpleVehicle one = wheelset(), two = wheelset();
  rolling(*one.simulator, 20, 3e-3);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(one.simulator->step(1e-3), runtime::Status::ok);
  parse_state(*two.simulator, state_text(*one.simulator), "saved");
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(one.simulator->step(1e-3), runtime::Status::ok);
    ASSERT_EQ(two.simulator->step(1e-3), runtime::Status::ok);
  }
  expect_same(one.simulator->state(), two.simulator->state());
}

TEST(simulator, two_vehicles_run_in_two_threads) {
  SimpleVehicle one = wheelset(), two = wheelset(), alone = wheelset();
  for (SimpleVehicle* v : {&one, &two, &alone}) rolling(*v->simulator, 15, 2e-3);
  const auto run = [](Simulator& s) {
    for (int i = 0; i < 500; ++i) ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
  };
  std::thread other([&] { run(*two.simulator); });
  run(*one.simulator);
  other.join();
  run(*alone.simulator);
  expect_same(one.simulator->state(), alone.simulator->state());
  expect_same(two.simulator->state(), alone.simulator->state());
}

TEST(simulator, generated_elimination_equals_full_pivoting) {
  SimpleVehicle v = wheelset();
  rolling(*v.simulator, 20, 4e-3);
  const Description& vehicle = *v.simulator->description();
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(v.simulator->step(1e-3), runtime::Status::ok);
    runtime::KernelSet& k = v.simulator->kernels_of_last_step();
    const auto size = static_cast<Eigen::Index>(vehicle.n + vehicle.w);
    Eigen::MatrixXd A(size, size);
    runtime::evaluate_dense(k, vehicle.id.step_matrix, A);
    Eigen::VectorXd b(size);
    for (Eigen::Index r = 0; r < size; ++r) b[r] = std::sin(1.0 + static_cast<double>(r));
    k.set(vehicle.id.rhs, {b.data(), static_cast<std::size_t>(size)});
    const std::span<const double> x = k.evaluate(vehicle.id.solve);
    const Eigen::VectorXd reference = A.fullPivLu().solve(b);
    for (Eigen::Index r = 0; r < size; ++r) {
      EXPECT_NEAR(x[static_cast<std::size_t>(r)], reference[r],
                  1e-9 * reference.cwiseAbs().maxCoeff());
    }
  }
}

TEST(simulator, keeps_the_constraints_and_the_energy_on_straight_track) {
  SimpleVehicle v = wheelset();
  rolling(*v.simulator, 20, 1e-3);
  StepOptions options;
  options.balance = true;
  int most = 0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(v.simulator->step(1e-3, options), runtime::Status::ok);
    EXPECT_LE(v.simulator->largest_phi(), options.phi_tolerance);
    most = std::max(most, v.simulator->newton_q());
  }
  EXPECT_LE(most, 1) << "one correction of q is enough on straight track";
  const EnergyBalance& b = v.simulator->balance();
  EXPECT_LT(std::abs(b.error()), 0.01 * b.exchanged);
}

// Predictions leave out most projections; what a run finds stays within what the step itself errs
// by.
TEST(simulator, predicted_and_full_projections_find_the_same_motion) {
  SimpleVehicle a = wheelset(), b = wheelset();
  rolling(*a.simulator, 20, 3e-3), rolling(*b.simulator, 20, 3e-3);
  StepOptions predicted, full;
  full.set_projections(Projections::full);
  int corrections[2] = {0, 0};
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(a.simulator->step(1e-3, predicted), runtime::Status::ok);
    ASSERT_EQ(b.simulator->step(1e-3, full), runtime::Status::ok);
    EXPECT_LE(a.simulator->largest_phi(), 1e-7);
    EXPECT_LE(b.simulator->largest_phi(), 1e-8);
    corrections[0] += a.simulator->newton_q(), corrections[1] += b.simulator->newton_q();
  }
  EXPECT_LT(corrections[0], 50);
  EXPECT_GT(corrections[1], corrections[0]);
  for (std::size_t i = 1; i < a.simulator->coordinates(); ++i)
    EXPECT_NEAR(a.simulator->state().q[i], b.simulator->state().q[i], 2e-6);
}

// thrown up at 0.5 m/s the wheelset flies for 0.1 s and is caught again
TEST(simulator, flying_wheels_are_caught_without_a_gain_of_energy) {
  SimpleVehicle v = wheelset();
  Simulator& s = *v.simulator;
  VehicleState state = rolling(s, 10, 0);
  state.dq[2] = 0.5;
  for (PointState& p : state.tread) p.on = false;
  s.set_state(state);
  double highest = 0, on = 0, energy = 0;
  int touches = 0;
  StepOptions options;
  options.balance = true;
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(s.step(1e-3, options), runtime::Status::ok) << s.failure_text();
    for (const Event& e : s.events()) {
      if (e.kind == Event::Kind::touch && ++touches == 1) on = e.t;
    }
    highest = std::max(highest, s.state().q[2]);
    const double now = s.balance().kinetic + s.balance().potential;
    // free fall by steps: the energy of one step's fall is the order of its error
    EXPECT_TRUE(i == 0 || now < energy + mass * 9.81 * 9.81 * 1e-6) << "step " << i;
    energy = now;
  }
  EXPECT_EQ(touches, 2);
  EXPECT_NEAR(on, 2 * 0.5 / 9.81, 2e-3);
  EXPECT_NEAR(highest - state.q[2], 0.5 * 0.5 / (2 * 9.81), 1e-3);
  EXPECT_TRUE(s.state().tread[0].on && s.state().tread[1].on);
}

SimpleVehicle lifted_wheelset(const SimpleGeometry& g) {
  return support::simple_vehicle("test_lifted", g, [&](mech::Model& m) {
    const std::vector<model::Wheelset> wheelsets =
        support::free_wheelset(m, mass, 700, 100, g.r0 + 1e-4);
    m.add_force("lift", m.vector(m.ground_base(), 0, 0, m.input("lift")), m.point("ws"));
    return wheelsets;
  });
}

TEST(simulator, wheels_that_would_have_to_pull_are_released) {
  SimpleVehicle v = lifted_wheelset({});
  Simulator& s = *v.simulator;
  const VehicleState state = rolling(s, 10, 0);
  ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
  EXPECT_TRUE(s.events().empty());
  s.set_input(0, 1.5 * mass * 9.81);
  ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
  ASSERT_EQ(s.events().size(), 2u);
  EXPECT_EQ(s.events()[0].kind, Event::Kind::release);
  EXPECT_NEAR(s.events()[0].value, -0.25 * mass * 9.81, 0.01 * mass * 9.81);
  EXPECT_EQ(s.tread()[0].N, 0);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
  EXPECT_NEAR(s.state().q[2] - state.q[2], 0.5 * 0.5 * 9.81 * 0.101 * 0.101, 1e-3);
}

// the article's contact: pulled up with twice its weight the wheelset stays on the rails, by
// normal forces of the wrong sign
TEST(simulator, bilateral_wheels_are_held_down) {
  SimpleVehicle v = lifted_wheelset({});
  v.data.law.unilateral = false;
  Simulator s(v.data);
  rolling(s, 10, 0);
  s.set_input(0, 2 * mass * 9.81);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(s.step(1e-3), runtime::Status::ok);
  EXPECT_TRUE(s.events().empty());
  EXPECT_NEAR(s.tread()[0].N + s.tread()[1].N, -mass * 9.81, 0.01 * mass * 9.81);
}

TEST(simulator, a_wheel_beyond_the_rails_end_is_a_failure_that_names_it) {
  SimpleGeometry g;
  g.end = 0.5;
  SimpleVehicle v = wheelset(g);
  Simulator& s = *v.simulator;
  rolling(s, 20, 0);
  runtime::Status status = runtime::Status::ok;
  int steps = 0;
  while (status == runtime::Status::ok && ++steps < 100) status = s.step(1e-3);
  EXPECT_EQ(status, runtime::Status::not_converged);
  EXPECT_NEAR(s.state().t, 0.024, 2e-3) << "the last good state stays";
  EXPECT_NE(s.failure_text().find("ws."), std::string::npos) << s.failure_text();
  // from the saved state the same step fails again
  EXPECT_EQ(s.step(1e-3), runtime::Status::not_converged);
}

std::string error_with(const std::string& line, const std::string& instead) {
  SimpleVehicle v = wheelset();
  const std::string text = std::regex_replace(state_text(*v.simulator), std::regex(line), instead);
  return klingel::test::error_of([&] { parse_state(*v.simulator, text, "saved"); });
}

// casting such numbers to integers has no defined result
TEST(simulator, a_saved_number_of_steps_is_a_whole_number) {
  EXPECT_EQ(error_with("\nstep \\S+", "\nstep 12"), "no error");
  for (const char* wrong : {"1e300", "-1", "0.5", "9.3e18"})
    EXPECT_THAT(error_with("\nstep \\S+", std::string("\nstep ") + wrong),
                testing::HasSubstr("saved: 'step' must be a whole number from 0 to 9e+15"))
        << wrong;
}

TEST(simulator, saved_friction_is_not_negative) {
  EXPECT_THAT(error_with("\n(friction \\S+) \\S+", "\n$1 -0.1"),
              testing::HasSubstr("'friction' must not be negative, found -0.1"));
}

}  // namespace
}  // namespace klingel::step
