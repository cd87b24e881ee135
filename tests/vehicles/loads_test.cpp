// Static loads and charts of shipped vehicles.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "run/static_loads.hpp"
#include "run/wheel_charts.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

// With the contact the pipeline gives it.
cli::VehiclePipeline shipped(const std::string& name) {
  return cli::prepare_run(vehicle::load_scenario(name), test::in_memory());
}

double sum(const std::vector<double>& loads) {
  return std::accumulate(loads.begin(), loads.end(), 0.0);
}

std::size_t pairs(const run::VehicleData& data) {
  std::set<const wheelrail::ChartedPair*> all;
  for (const run::WheelData& wheel : data.wheels) all.insert(wheel.pair.get());
  return all.size();
}

TEST(loads, every_wheel_of_the_coach_carries_an_eighth_and_all_share_charts) {
  const cli::VehiclePipeline p = shipped("manchester1");
  const std::vector<double> loads = run::static_loads(p.simulator->data());
  ASSERT_EQ(loads.size(), 8u);
  const double weight = (32000 + 2 * 2615 + 4 * 1813) * 9.81;
  for (const double load : loads) EXPECT_NEAR(load / (weight / 8), 1, 1e-6);
  ASSERT_TRUE(p.simulator->data().loaded());
  EXPECT_EQ(pairs(p.simulator->data()), 1u);
  EXPECT_NEAR(p.simulator->data().wheels[0].pair->load / (weight / 8), 1, 1e-6);
}

TEST(loads, of_the_locomotive_are_its_weight) {
  const cli::VehiclePipeline p = shipped("feve3000_corrected");
  const std::vector<double> loads = run::static_loads(p.simulator->data());
  ASSERT_EQ(loads.size(), 8u);
  double standing = 0;
  for (const run::PointState& point : p.simulator->state().tread) standing += point.N;
  for (const run::PointState& point : p.simulator->state().flange) standing += point.N;
  for (double l : loads) printf("%f\n", l);
  printf("sum %f standing %f pairs %zu loaded %d\n", sum(loads), standing,
         pairs(p.simulator->data()), p.simulator->data().loaded());
}

}  // namespace
}  // namespace klingel
