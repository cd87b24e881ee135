// The step of loaded treads on one wheelset: no allocation, saved states, wheels that fall and hop,
// friction as a limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "start/static_loads.hpp"
#include "start/wheel_charts.hpp"
#include "step/simulator.hpp"
#include "step/vehicle_state_file.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/simple_vehicle.hpp"

namespace klingel::step {
namespace {

constexpr double mass = 1250, g = 9.81;

// conical wheels on round heads, with charts
struct Loaded {
  support::SimpleVehicle v = support::simple_vehicle("loaded_wheelset", {}, [](mech::Model& m) {
    return support::free_wheelset(m, mass, 700, 100, 0.45 + 1e-4);
  });
  Loaded() {
    start::give_charts(v.data, start::static_loads(v.data));
    v.simulator = std::make_unique<Simulator>(v.data);
  }
  Simulator& operator*() { return *v.simulator; }

  // rolling at rest on the rails, or falling from a height above them
  void start(double speed, double offset, double height = 0) {
    VehicleState state = v.simulator->state();
    state.q = {0, offset, 0.45 + 1e-4, 0, 0, 0};
    start::settle(*v.simulator, state, {.held = {0, 1, 3, 5}});
    state.dq = {speed, 0, 0, 0, 0, speed / start::rolling_radius(*v.simulator, state, 0)};
    start::project_velocities(*v.simulator, state);
    state.q[2] += height;
    v.simulator->set_state(state);
  }
};

TEST(loaded_step, does_not_allocate) {
  Loaded l;
  l.start(20, 1e-3);
  ASSERT_EQ((*l).step(1e-3), runtime::Status::ok);
  const std::size_t before = klingel::test::allocation_count();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ((*l).step(1e-3), runtime::Status::ok);
  EXPECT_EQ(klingel::test::allocation_count(), before);
}

TEST(loaded_step, carries_the_weight_at_rest) {
  Loaded l;
  l.start(10, 0);
  for (int i = 0; i < 200; ++i) ASSERT_EQ((*l).step(1e-3), runtime::Status::ok);
  double Q = 0;
  for (const PointResult& r : (*l).tread())
    Q += r.N * r.W_n[2] + r.f[0] * r.W_x[2] + r.f[1] * r.W_y[2];
  EXPECT_NEAR(Q, mass * g, 1e-5 * mass * g);
}

TEST(loaded_step, saved_state_goes_on_bit_for_bit_in_another_thread) {
  Loaded one, two;
  one.start(20, 3e-3);
  for (int i = 0; i < 137; ++i) ASSERT_EQ((*one).step(1e-3), runtime::Status::ok);
  parse_state(*two, state_text(*one), "saved");
  std::thread other([&] {
    for (int i = 0; i < 300; ++i) (*two).step(1e-3);
  });
  for (int i = 0; i < 300; ++i) ASSERT_EQ((*one).step(1e-3), runtime::Status::ok);
  other.join();
  EXPECT_EQ(state_text(*one), state_text(*two));
}

// From 1 mm it arrives with sqrt(2 g h) = 0.14 m/s, whatever the step finds of it on the way.
TEST(loaded_step, falling_wheels_are_caught_and_lose_energy) {
  for (const double h : {2e-3, 1e-3, 1e-4}) {
    Loaded l;
    l.start(5, 0, 1e-3);
    StepOptions options;
    options.balance = true;
    const double from = (*l).state().q[2];
    double highest = 0, largest = 0;
    bool flew = false;
    for (int i = 0; i < static_cast<int>(0.5 / h); ++i) {
      ASSERT_EQ((*l).step(h, options), runtime::Status::ok) << (*l).failure_text();
      for (const PointResult& r : (*l).tread()) {
        EXPECT_GE(r.N, 0);
        largest = std::max(largest, r.N);
        flew = flew || r.N == 0;
      }
      highest = std::max(highest, (*l).state().q[2]);
    }
    EXPECT_TRUE(flew);
    EXPECT_LT(highest, from + 1e-5);
    // a mass of 625 kg with 0.14 m/s on a spring of some 1e9 N/m
    EXPECT_GT(largest, 20e3) << h;
    EXPECT_LT(largest, 200e3) << h;
    const EnergyBalance& b = (*l).balance();
    EXPECT_LE(b.normal_gain(), 1e-3) << h;
    EXPECT_LT(std::abs(b.error()), 1e-3 * b.exchanged) << h;
  }
}

// Braked to a standstill of its wheels: creep forces stay below friction in every step.
TEST(loaded_step, creep_forces_stay_below_friction) {
  Loaded l;
  l.start(15, 2e-3);
  (*l).set_friction(0, 0.1), (*l).set_friction(1, 0.25);
  VehicleState state = (*l).state();
  state.dq[5] *= 0.6;
  (*l).set_state(state);
  double most = 0;
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ((*l).step(1e-3), runtime::Status::ok);
    for (std::size_t k = 0; k < 2; ++k) {
      const PointResult& r = (*l).tread()[k];
      if (r.N > 0) most = std::max(most, std::hypot(r.f[0], r.f[1]) / ((*l).friction(k) * r.N));
    }
  }
  EXPECT_GT(most, 0.95);
  EXPECT_LT(most, 1.02);
  EXPECT_EQ((*l).doubts().creep.steps, 0);
}

TEST(loaded_step, a_wheel_beyond_its_rail_has_failed_not_derailed) {
  Loaded l;
  l.start(20, 0);
  runtime::Status status = runtime::Status::ok;
  for (int i = 0; i < 30000 && status == runtime::Status::ok; ++i) status = (*l).step(1e-3);
  EXPECT_EQ(status, runtime::Status::not_converged);
  EXPECT_NE((*l).failure_text().find("end of the rail"), std::string::npos);
}

TEST(loaded_step, a_wheel_far_above_its_rail_has_derailed) {
  Loaded l;
  l.start(20, 0, 0.06);
  EXPECT_EQ((*l).step(1e-3), runtime::Status::derailed);
  ASSERT_FALSE((*l).events().empty());
  EXPECT_EQ((*l).events().back().kind, Event::Kind::derailed);
}

}  // namespace
}  // namespace klingel::step
