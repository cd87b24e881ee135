// Shipped vehicles stand on their tracks as hand formulas say.
#include <gtest/gtest.h>

#include <cmath>

#include "compile/prepare_run.hpp"
#include "start/modes.hpp"
#include "step/simulator.hpp"

namespace klingel {
namespace {

double load(const step::Simulator& s) {
  double sum = 0;
  for (const step::PointState& p : s.state().tread) sum += p.N;
  return sum;
}

TEST(start, coach_loads_its_wheels_evenly) {
  const compile::PreparedRun p = compile::prepare_run(vehicle::load_scenario("manchester1"));
  // 44,482 kg on eight wheels; contact angles of 0.024 rad change the sum by 0.03 %
  for (const step::PointState& point : p.simulator->state().tread)
    EXPECT_NEAR(point.N, 54.5e3, 0.1e3);
}

// by hand: 32 t on 8 x 430 kN/m over 1.22 MN/m primaries bounces at 1.07 Hz, a bogie between its
// springs at 7.4 Hz
TEST(start, coach_bounces_as_by_hand) {
  const compile::PreparedRun p = compile::prepare_run(vehicle::load_scenario("manchester1"));
  const step::VehicleState state = p.simulator->state();
  const std::vector<start::Mode> modes = start::modes(*p.simulator, state);
  EXPECT_NEAR(start::frequency_of(modes, *p.model->reference->coordinates[2]), 1.07, 0.02 * 1.07);
  double nearest = 0;
  for (const start::Mode& m : modes) {
    if (std::abs(m.frequency - 7.4) < std::abs(nearest - 7.4)) nearest = m.frequency;
  }
  EXPECT_NEAR(nearest, 7.4, 0.02 * 7.4);
}

TEST(start, locomotive_stands_with_its_weight) {
  const compile::PreparedRun p = compile::prepare_run(vehicle::load_scenario("feve3000"));
  EXPECT_NEAR(load(*p.simulator), 34250.68 * 9.8, 0.001 * 34250.68 * 9.8);
}

}  // namespace
}  // namespace klingel
