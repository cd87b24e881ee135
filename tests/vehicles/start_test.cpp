// Shipped vehicles stand on their tracks as hand formulas say.
#include <gtest/gtest.h>

#include "cli/vehicle_pipeline.hpp"
#include "run/simulator.hpp"

namespace klingel {
namespace {

double load(const run::Simulator& s) {
  double sum = 0;
  for (const run::PointState& p : s.state().tread) sum += p.N;
  return sum;
}

TEST(start, coach_loads_its_wheels_evenly) {
  const cli::VehiclePipeline p = cli::prepare_run(vehicle::load_scenario("manchester1"));
  // 44,482 kg on eight wheels; contact angles of 0.024 rad change the sum by 0.03 %
  for (const run::PointState& point : p.simulator->state().tread)
    EXPECT_NEAR(point.N, 54.5e3, 0.1e3);
}

TEST(start, locomotive_stands_with_its_weight) {
  const cli::VehiclePipeline p = cli::prepare_run(vehicle::load_scenario("feve3000"));
  EXPECT_NEAR(load(*p.simulator), 34250.68 * 9.8, 0.001 * 34250.68 * 9.8);
}

}  // namespace
}  // namespace klingel
