// A wagon parked on a slope by its brakes, which are dry friction, for an hour: it stays, and the
// brakes are wound up by what their stick stiffness allows and no more.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/structure/temporary_folder.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

TEST(parked, brakes_hold_a_wagon_on_a_slope_for_an_hour) {
  const structure::TemporaryFolder folder;
  folder.add("parked.toml", R"(extends = "wagon_2axle"
[vehicle]
name = "parked"
[[friction_torque]]
name = "front_brake"
from = "body"
to = "front.axle"
axis = "y"
torque = 5e3
stick_stiffness = 1e6
[[friction_torque]]
name = "rear_brake"
from = "body"
to = "rear.axle"
axis = "y"
torque = 5e3
stick_stiffness = 1e6
)");
  folder.add("slope.toml", R"(name = "slope"
gauge = 1.435
rail_profile = "60E1:1:40"
[[section]]
kind = "straight"
length = 100
gradient = 0.02
)");
  vehicle::Scenario s = vehicle::load_scenario("wagon_2axle");
  s.vehicle = folder.path() / "parked.toml";
  s.track = (folder.path() / "slope.toml").string();
  s.speed = 0, s.position = 50, s.duration = 3600, s.step = 2e-3;
  const compile::PreparedRun p = compile::prepare_run(s);
  simulation::Instance& wagon = *p.instance;
  const auto turn = [&](const char* brake) {
    return wagon.value(wagon.channel(std::string("turn.") + brake));
  };
  const auto wait = [&](double until) {
    while (p.simulator->state().t < until - 1e-9) ASSERT_TRUE(wagon.step());
  };
  wait(60);
  const double front = turn("front_brake"), rear = turn("rear_brake");
  const double x = p.simulator->state().q[0];
  wait(3600);
  // both brakes together hold the weight's part along the slope
  const double mass = 30000 + 2 * 1300, slope = 0.02 / std::sqrt(1 + 0.02 * 0.02);
  EXPECT_NEAR(std::abs(front + rear), mass * 9.81 * slope * 0.46 / 1e6, 0.02 * 3e-3);
  EXPECT_NEAR(turn("front_brake"), front, 1e-7);
  EXPECT_NEAR(turn("rear_brake"), rear, 1e-7);
  // wheels creep on their rails, whose creep law knows no sticking: below a micrometre a second
  EXPECT_LT(std::abs(p.simulator->state().q[0] - x), 3.6e-3);
}

}  // namespace
}  // namespace klingel
