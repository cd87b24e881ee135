// Static loads and charts of shipped vehicles.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "start/static_loads.hpp"
#include "start/wheel_charts.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

// With the contact the pipeline gives it.
compile::PreparedRun shipped(const std::string& name) {
  return compile::prepare_run(vehicle::load_scenario(name));
}

double sum(const std::vector<double>& loads) {
  return std::accumulate(loads.begin(), loads.end(), 0.0);
}

std::size_t pairs(const step::VehicleData& data) {
  std::set<const contact::ChartedPair*> all;
  for (const step::WheelData& wheel : data.wheels) all.insert(wheel.pair.get());
  return all.size();
}

TEST(loads, every_wheel_of_the_coach_carries_an_eighth_and_all_share_charts) {
  const compile::PreparedRun p = shipped("manchester1");
  const std::vector<double> loads = start::static_loads(p.simulator->data());
  ASSERT_EQ(loads.size(), 8u);
  const double weight = (32000 + 2 * 2615 + 4 * 1813) * 9.81;
  for (const double load : loads) EXPECT_NEAR(load / (weight / 8), 1, 1e-6);
  ASSERT_TRUE(p.simulator->data().loaded());
  EXPECT_EQ(pairs(p.simulator->data()), 1u);
  EXPECT_NEAR(p.simulator->data().wheels[0].pair->load / (weight / 8), 1, 1e-6);
}

TEST(loads, of_the_locomotive_are_its_weight) {
  const compile::PreparedRun p = shipped("feve3000_corrected");
  const std::vector<double> loads = start::static_loads(p.simulator->data());
  ASSERT_EQ(loads.size(), 8u);
  EXPECT_NEAR(sum(loads) / (34250.68 * 9.8), 1, 1e-6);
  // the body's centre of mass is 0.14 m behind the middle: 7.2 kN more under the rear bogie; motors
  // hang within the bogies
  EXPECT_GT(loads[0], 1.18 * loads[7]);
}

// Loads a fifth apart have charts of their own, and bogies share theirs.
TEST(loads, of_the_locomotive_need_charts_of_their_own_under_each_bogie) {
  const compile::PreparedRun p = shipped("feve3000_corrected");
  step::VehicleData data = p.simulator->data();
  const std::vector<double> loads = start::static_loads(data);
  const start::ChartCosts costs = start::give_charts(data, loads);
  EXPECT_EQ(costs.pairs, 2u);
  EXPECT_EQ(pairs(data), 2u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(data.wheels[i].pair, data.wheels[i < 4 ? 0 : 4].pair);
    EXPECT_NEAR(data.wheels[i].pair->load, loads[i], 0.01 * loads[i]);
  }
  EXPECT_NE(data.wheels[0].pair, data.wheels[4].pair);
}

}  // namespace
}  // namespace klingel
