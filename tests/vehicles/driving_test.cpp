// Standing, starting, stopping, slipping, running backwards and falling into a dip: the locomotive
// does what a driver expects.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/structure/temporary_folder.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

constexpr double mass = 34250.68, weight = mass * 9.8;
// with four axles, two gears and two rotors that turn 4.25 times as fast
constexpr double rolling_mass = mass + (4 * 79.6 + 2 * 6.136 + 2 * 1.7 * 4.25 * 4.25) / (0.5 * 0.5);

vehicle::Scenario on_straight(double speed, double duration) {
  vehicle::Scenario s = vehicle::load_scenario("feve3000_corrected");
  s.track = "metre_straight";
  s.speed = speed;
  s.duration = duration;
  s.inputs.clear();
  for (vehicle::Hold& h : s.hold) h.value = 0;
  return s;
}

void set_motors(vehicle::Scenario& s, double traction) {
  for (const char* motor : {"rear.front.motor", "rear.rear.motor"})
    s.inputs.push_back({motor, {}, {0.0}, {-traction}});
}

double sum_N(const VehicleRun& r, double from, double to) {
  double sum = 0;
  for (const step::WheelData& w : r.p.simulator->data().wheels)
    sum += r.mean("N." + w.name, from, to) + r.mean("Nf." + w.name, from, to);
  return sum;
}

TEST(driving, stands_still) {
  VehicleRun r(on_straight(0, 1));
  const double x = r.simulator().state().q[0];
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  EXPECT_NEAR(r.simulator().state().q[0], x, 1e-4);
  EXPECT_NEAR(sum_N(r, 0.5, 1), weight, 1e-3 * weight);
  for (const record::WheelSummary& w : r.summary.wheels) EXPECT_LT(w.max_Y, 2e3) << w.name;
}

TEST(driving, starts_with_the_acceleration_of_its_motors) {
  vehicle::Scenario s = on_straight(0, 5);
  constexpr double torque = 2000;
  set_motors(s, torque);
  VehicleRun r(s);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  const double a = 2 * torque * 4.25 / 0.5 / rolling_mass;
  // rolling radius within 1 % of 0.5 m, and the suspension swings
  EXPECT_NEAR(r.channel("speed").back(), 5 * a, 0.02 * 5 * a);
}

TEST(driving, brakes_to_a_stop) {
  vehicle::Scenario s = on_straight(8, 8);
  constexpr double torque = 6000;
  const double a = 4 * torque / 0.5 / rolling_mass, stop = 8 / a;
  // a constant torque would drive it backwards afterwards: let go as it stops
  for (const char* w : test::wheelset_names)
    s.inputs.push_back({std::string(w) + ".brake", {}, {stop - 0.1, stop + 0.1}, {torque, 0.0}});
  VehicleRun r(s);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  EXPECT_NEAR(r.channel("speed").back(), 0, 0.02 * 8);
  const std::span<const double> x = r.channel("body.x");
  EXPECT_NEAR(x.back() - x.front(), 8 * 8 / (2 * a), 0.02 * 8 * 8 / (2 * a));
}

TEST(driving, wheels_slip_where_friction_does_not_hold_the_torque) {
  vehicle::Scenario s = on_straight(5, 3);
  s.friction = 0.05;
  set_motors(s, 2000);
  VehicleRun r(s);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  const step::Simulator& simulator = r.simulator();
  for (std::size_t i = 0; i < 4; ++i) {
    const step::PointResult& p = simulator.tread()[i];
    // wheels of the driven bogie, at the limit of friction; the law of the step is a secant
    ASSERT_EQ(simulator.data().wheels[i].name.substr(0, 4), "rear");
    EXPECT_NEAR(std::hypot(p.f[0], p.f[1]), 0.05 * p.N, 0.02 * 0.05 * p.N);
  }
  const auto& names = simulator.coordinate_names();
  const auto spin = std::find(names.begin(), names.end(), "rear.front.spin") - names.begin();
  const double v = r.channel("speed").back();
  EXPECT_GT(simulator.state().dq[static_cast<std::size_t>(spin)] * 0.5, 1.5 * v);
  // friction alone drives: a third of what the motors would
  double N_driven = 0;
  for (const char* w : {"rear.front", "rear.rear"}) {
    for (const char* side : {".right", ".left"})
      N_driven += r.mean(std::string("N.") + w + side, 0, 3);
  }
  EXPECT_NEAR(v - 5, 3 * 0.05 * N_driven / rolling_mass, 0.1 * 3 * 0.05 * N_driven / rolling_mass);
}

TEST(driving, runs_backwards) {
  VehicleRun r(on_straight(-10, 3));
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  const std::span<const double> x = r.channel("body.x");
  EXPECT_NEAR(x.back() - x.front(), -30, 0.3);
  EXPECT_NEAR(sum_N(r, 1, 3), weight, 2e-3 * weight);
  EXPECT_LT(r.unbalanced(), 0.01);
}

// A dip of 30 mm in the right rail, 2 m long: at 20 m/s its edge falls away with 59 m/s2, more than
// load and weight press a wheel down.
TEST(driving, wheels_fly_over_a_dip_and_land) {
  const structure::TemporaryFolder folder;
  std::string rows = "s_m,right_vertical_m\n";
  for (int i = 0; i <= 80; ++i) {
    const double s = 20 + 0.05 * i, part = std::clamp((s - 21) / 2, 0.0, 1.0);
    rows += fmt::format("{:.3f},{:.9f}\n", s, -0.015 * (1 - std::cos(2 * std::numbers::pi * part)));
  }
  folder.add("dip.csv", rows);
  folder.add("dip.toml", R"(name = "dip"
rail_distance = 1.07
rail_profile = "feve_rail"
step = 0.05
[start]
s = -50.0
[[section]]
kind = "straight"
length = 300.0
[[irregularity]]
kind = "measured"
channel = "right_vertical"
file = "dip.csv"
from = 20.5
to = 23.5
)");
  vehicle::Scenario s = on_straight(20, 4);
  s.track = (folder.path() / "dip.toml").string();
  VehicleRun r(s);
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  EXPECT_TRUE(r.finite());
  int lifted = 0;
  for (const record::WheelSummary& w : r.summary.wheels) {
    if (w.lift > 0) ++lifted;
    EXPECT_LT(w.lift, 0.2) << w.name;
  }
  EXPECT_GE(lifted, 4);
  for (const step::PointState& p : r.simulator().state().tread) EXPECT_TRUE(p.on);
  EXPECT_NEAR(sum_N(r, 3, 4), weight, 0.01 * weight);
  // landing is without rebound: energy is lost, not made
  EXPECT_LT(r.summary.energy.error(), 0.005 * r.summary.energy.exchanged);
  EXPECT_LT(r.summary.energy.kinetic + r.summary.energy.potential,
            r.summary.energy.start + r.summary.energy.inputs + r.summary.energy.dampers +
                1e-3 * r.summary.energy.exchanged);
}

}  // namespace
}  // namespace klingel
