// A wagon parked on a slope for an hour, by dry friction that sticks: it stays where the stick
// stiffness lets it be, and nothing creeps but what is known to.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/structure/temporary_folder.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

constexpr double gradient = 0.02, mass = 30000 + 2 * 1300, g = 9.81;
// the weight along the slope
const double pull = mass * g * std::sin(std::atan(gradient));

// The two-axle wagon with more elements, standing on the slope.
class Parked {
 public:
  explicit Parked(const std::string& elements) : run_(compile::prepare_run(scenario(elements))) {}
  double operator[](const std::string& channel) {
    return run_.instance->value(run_.instance->channel(channel));
  }
  void wait(double until) {
    while (run_.instance->time() < until - 1e-9) ASSERT_TRUE(run_.instance->step());
  }

 private:
  vehicle::Scenario scenario(const std::string& elements) const {
    folder_.add("wagon.toml", "extends = \"wagon_2axle\"\n" + elements);
    folder_.add("slope.toml", R"(name = "slope"
gauge = 1.435
rail_profile = "60E1:1:40"
[[section]]
kind = "straight"
length = 100
gradient = 0.02
)");
    vehicle::Scenario s = vehicle::load_scenario("wagon_2axle");
    s.vehicle = folder_.path() / "wagon.toml";
    s.track = (folder_.path() / "slope.toml").string();
    s.speed = 0, s.position = 50, s.duration = 3600, s.step = 2e-3;
    return s;
  }

  structure::TemporaryFolder folder_;
  compile::PreparedRun run_;
};

// Friction between wagon and ground, as of a rail clamp. Wheels are free: they carry nothing along
// the rails, so there is nothing that could creep.
TEST(parked, a_clamp_holds_a_wagon_for_an_hour_within_its_stick_stiffness) {
  constexpr double k = 2e7;
  Parked wagon(R"toml([[base]]
name = "slope"
axis = "y"
angle = "-atan(0.02)"
[[point]]
name = "clamp"
r = [0, 0, 0]
[[friction]]
name = "clamp"
from = "clamp"
to = "body"
axes = "slope"
along = "x"
force = 20e3
stick_stiffness = 2e7
)toml");
  const double first = wagon["stroke.clamp"];
  wagon.wait(300);  // it swings on the clamp for two minutes
  const double place = wagon["stroke.clamp"];
  EXPECT_NEAR(first - place, pull / k, 1e-9);
  EXPECT_NEAR(wagon["force.clamp"], -pull, 1e-2);
  wagon.wait(3600);
  EXPECT_NEAR(wagon["stroke.clamp"], place, 1e-11);
  EXPECT_NEAR(wagon["speed"], 0, 1e-12);
}

// Brakes between wagon and wheels. Their friction sticks; the wheels creep on the rails, since
// creep laws are those of rolling: below V_floor, 1 mm/s, slip counts against V_floor. So the
// wagon moves at xi V_floor with the creepage xi that bears the load. Wheels with unequal loads
// then share it anew, within hours, by some urad of their brakes.
TEST(parked, brakes_do_not_creep_and_wheels_creep_as_their_law_says) {
  constexpr double k = 1e6, r_wheel = 0.46, V_floor = 1e-3;
  const auto brake = [](const std::string& axle) {
    return "[[friction_torque]]\nname = \"" + axle + "_brake\"\nfrom = \"body\"\nto = \"" + axle +
           ".axle\"\naxis = \"y\"\ntorque = 5e3\nstick_stiffness = 1e6\n";
  };
  Parked wagon(brake("front") + brake("rear"));
  // the body stands on the slope with spins of zero: turns count from here
  const double front = wagon["turn.front_brake"], rear = wagon["turn.rear_brake"];
  wagon.wait(600);
  const double x = wagon["q.x"];
  wagon.wait(3600);
  const double of_front = wagon["moment.front_brake"], of_rear = wagon["moment.rear_brake"];
  EXPECT_NEAR(wagon["turn.front_brake"] - front, of_front / k, 1e-12);
  EXPECT_NEAR(wagon["turn.rear_brake"] - rear, of_rear / k, 1e-12);
  // rolling radii differ from r_wheel by some hundredths of a millimetre
  EXPECT_NEAR(of_front + of_rear, -pull * r_wheel, 1e-3 * pull * r_wheel);
  EXPECT_NEAR(of_front, of_rear, 0.01 * std::abs(of_front));
  const double xi = (wagon["xi_x.front.left"] + wagon["xi_x.rear.left"]) / 2;
  EXPECT_NEAR((wagon["q.x"] - x) / 3000, xi * V_floor, 1e-3 * std::abs(xi) * V_floor);
  EXPECT_LT(std::abs(wagon["q.x"] - x), 1e-3);
}

}  // namespace
}  // namespace klingel
