// Static loads of vehicles made for it, against levers by hand.
#include "start/static_loads.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/support/curve_vehicle.hpp"

namespace klingel::start {
namespace {

using support::SimpleGeometry;
using support::SimpleVehicle;

// One wheelset whose centre of mass is off the middle, to the left.
SimpleVehicle lopsided(double mass, double left, double gravity = 9.81) {
  const SimpleGeometry g;
  return support::simple_vehicle("lopsided", g, [&](mech::Model& m) {
    using namespace mech;
    const auto x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z", g.r0);
    const auto yaw = m.coordinate("yaw"), roll = m.coordinate("roll"), spin = m.coordinate("spin");
    m.set_gravity(m.vector(m.ground_base(), 0, 0, -gravity));
    const Point C = m.point("ws", m.origin(), m.vector(m.ground_base(), x.q, y.q, z.q));
    const Base yawed = m.rotation("ws.yawed", m.ground_base(), axis::z, yaw.q);
    const Base still = m.rotation("ws.still", yawed, axis::x, roll.q);
    const Base turning = m.rotation("ws", still, axis::y, spin.q);
    m.body("ws", C, turning, mass, m.vector(turning, 0, left, 0),
           m.inertia(turning, 700, 100, 700));
    return std::vector<model::Wheelset>{{"ws", C, still, turning, {"ws.right", "ws.left"}}};
  });
}

TEST(static_loads, a_wheelset_stands_on_both_wheels) {
  const std::vector<double> loads = static_loads(lopsided(1250, 0).data);
  ASSERT_EQ(loads.size(), 2u);
  for (const double load : loads) EXPECT_NEAR(load / (1250 * 9.81 / 2), 1, 1e-9);
}

TEST(static_loads, a_lopsided_wheelset_loads_its_wheels_by_their_levers) {
  const double left = 0.2, weight = 1250 * 9.81, half = SimpleGeometry{}.half_base;
  const SimpleVehicle v = lopsided(1250, left);
  const std::vector<double> loads = static_loads(v.data);
  ASSERT_EQ(v.data.wheels[1].side, profile::Side::left);
  // the wheelset leans by some 1e-5 rad on the springs, and is left with less than 1 N and N m
  EXPECT_NEAR(loads[1], weight / 2 * (1 + left / half), 1);
  EXPECT_NEAR(loads[0], weight / 2 * (1 - left / half), 1);
}

TEST(static_loads, wheels_of_a_bogie_share_its_weight) {
  const SimpleVehicle v = support::bogie_vehicle();
  using support::Bogie;
  const double weight = (Bogie::frame_mass + 2 * Bogie::wheelset_mass) * 9.81;
  const std::vector<double> loads = static_loads(v.data);
  ASSERT_EQ(loads.size(), 4u);
  for (const double load : loads) EXPECT_NEAR(load / (weight / 4), 1, 1e-6);
}

// Straight, level track, whatever the rails of the run do: they are not asked.
TEST(static_loads, do_not_depend_on_rails_and_profiles) {
  const SimpleGeometry g;
  const std::vector<double> level = static_loads(support::bogie_vehicle(g).data);
  const std::vector<double> canted = static_loads(support::bogie_vehicle(g, {1 / 150.0, 0.1}).data);
  EXPECT_EQ(level, canted);
}

TEST(static_loads, a_wheel_that_lifts_is_an_error) {
  // the centre of mass beyond the left wheel
  EXPECT_THROW(static_loads(lopsided(1250, 0.8).data), base::Error);
}

TEST(static_loads, a_vehicle_without_weight_is_an_error) {
  EXPECT_THROW(static_loads(lopsided(1250, 0, 0).data), base::Error);
}

}  // namespace
}  // namespace klingel::start
