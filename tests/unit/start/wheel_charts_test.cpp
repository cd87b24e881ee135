// Which wheels share charts.
#include "start/wheel_charts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "tests/unit/step/loaded_motion.hpp"

namespace klingel::start {
namespace {

using profile::Side;

// Wheels of S1002 on 60E1 on straight track, right and left in turn; no kernels are needed.
step::VehicleData wheels(std::size_t count) {
  const step::test::Standard& all = step::test::standard();
  const auto line = [](double slope, double value) {
    return spline::CubicSpline({-5, 5}, {{0, 0, slope, value - 5 * slope, -5}});
  };
  const auto rail = [&](Side side) {
    const double y = (side == Side::left ? 1 : -1) * all.rail_distance / 2;
    return contact::RailSurface{profile::rail_function(all.rail, side),
                                {line(1, 0), line(0, y), line(0, 0), line(0, 0)}};
  };
  step::VehicleData data;
  data.left = rail(Side::left);
  data.right = rail(Side::right);
  for (std::size_t i = 0; i < count; ++i) {
    step::WheelData wheel;
    wheel.wheelset = i / 2;
    wheel.side = i % 2 == 0 ? Side::right : Side::left;
    wheel.y_w = i % 2 == 0 ? -all.y_w : all.y_w;
    wheel.surface = {profile::wheel_function(profile::profile("S1002", profile::ProfileKind::wheel),
                                             wheel.side, 0.46)};
    data.wheels.push_back(wheel);
  }
  return data;
}

std::size_t pairs(const step::VehicleData& data) {
  std::set<const contact::ChartedPair*> all;
  for (const step::WheelData& wheel : data.wheels) all.insert(wheel.pair.get());
  return all.size();
}

TEST(wheel_charts, wheels_of_both_sides_share_charts) {
  step::VehicleData data = wheels(4);
  EXPECT_FALSE(data.loaded());
  const ChartCosts costs = give_charts(data, {50e3, 50e3, 50e3, 50e3});
  EXPECT_TRUE(data.loaded());
  EXPECT_EQ(costs.pairs, 1u);
  EXPECT_EQ(pairs(data), 1u);
  EXPECT_EQ(costs.bytes, data.wheels[0].pair->bytes());
  EXPECT_EQ(data.wheels[0].pair->load, 50e3);
}

TEST(wheel_charts, loads_15_percent_apart_share_charts_of_their_mean) {
  step::VehicleData data = wheels(4);
  EXPECT_EQ(give_charts(data, {46e3, 52.9e3, 50e3, 48e3}).pairs, 1u);
  EXPECT_NEAR(data.wheels[0].pair->load, (46e3 + 52.9e3 + 50e3 + 48e3) / 4, 1e-9);
  EXPECT_EQ(pairs(data), 1u);
}

TEST(wheel_charts, loads_20_percent_apart_do_not) {
  step::VehicleData data = wheels(4);
  const ChartCosts costs = give_charts(data, {60e3, 50e3, 50e3, 60e3});
  EXPECT_EQ(costs.pairs, 2u);
  EXPECT_EQ(data.wheels[0].pair, data.wheels[3].pair);
  EXPECT_EQ(data.wheels[1].pair, data.wheels[2].pair);
  EXPECT_NE(data.wheels[0].pair, data.wheels[1].pair);
  EXPECT_EQ(data.wheels[0].pair->load, 60e3);
  EXPECT_EQ(data.wheels[1].pair->load, 50e3);
  EXPECT_EQ(costs.bytes, data.wheels[0].pair->bytes() + data.wheels[1].pair->bytes());
}

TEST(wheel_charts, other_places_on_the_axle_or_radii_have_charts_of_their_own) {
  step::VehicleData data = wheels(4);
  data.wheels[2].y_w -= 1e-3;
  data.wheels[3].surface = {profile::wheel_function(
      profile::profile("S1002", profile::ProfileKind::wheel), Side::left, 0.45)};
  EXPECT_EQ(give_charts(data, {50e3, 50e3, 50e3, 50e3}).pairs, 3u);
  EXPECT_EQ(data.wheels[0].pair, data.wheels[1].pair);
  EXPECT_NEAR(data.wheels[3].pair->r0, 0.45, 1e-9);
}

TEST(wheel_charts, are_those_of_the_left_wheel_alone) {
  step::VehicleData data = wheels(2);
  data.law.E = 2 * 82e9 * 1.28, data.law.poisson = 0.28;
  give_charts(data, {60e3, 60e3});
  const contact::ChartedPair &given = *data.wheels[0].pair, &alone = step::test::standard().charts;
  EXPECT_EQ(given.tread.k, alone.tread.k);
  EXPECT_EQ(given.tread.eps, alone.tread.eps);
  EXPECT_EQ(given.top, alone.top);
  ASSERT_TRUE(given.flange);
  EXPECT_EQ(given.flange->k, alone.flange->k);
}

TEST(wheel_charts, an_expert_can_have_one_sheet) {
  step::VehicleData data = wheels(2);
  give_charts(data, {60e3, 60e3}, {.flange = false, .split = {}});
  EXPECT_FALSE(data.wheels[0].pair->flange);
}

TEST(wheel_charts, a_load_that_is_none_is_an_error) {
  step::VehicleData data = wheels(2);
  EXPECT_THROW(give_charts(data, {0, 0}), base::Error);
}

}  // namespace
}  // namespace klingel::start
