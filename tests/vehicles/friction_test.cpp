// No wheel creeps with more than friction allows, in any step, the first one not excepted: beyond a
// hundredth of mu N and a two-hundredth of the mean load of a wheel.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compile/prepare_run.hpp"

namespace klingel {
namespace {

struct Case {
  const char* scenario;
  const char* tread;
  const char* law;
  double friction;
  double duration;
};

TEST(friction, bounds_creep_forces_in_every_step) {
  constexpr Case cases[] = {{"feve3000_corrected", "rigid", "she", 0.3, 3},
                            {"feve3000_corrected", "rigid", "polach", 0.1, 1.5},
                            {"feve3000_corrected", "rigid", "fastsim", 0.15, 0.5},
                            {"motor_slip", "loaded", "she", 0.1, 2},
                            {"coach_150m", "loaded", "fastsim", 0.05, 10}};
  for (const Case& c : cases) {
    vehicle::Scenario scenario = vehicle::load_scenario(c.scenario);
    scenario.tread = c.tread, scenario.law = c.law;
    scenario.friction = c.friction, scenario.duration = c.duration;
    SCOPED_TRACE(fmt::format("{} {} {} {}", c.scenario, c.tread, c.law, c.friction));
    compile::PreparedRun p = compile::prepare_run(scenario);
    step::Simulator& simulator = *p.simulator;
    const auto wheels = static_cast<double>(simulator.data().wheels.size());
    double load = 0, worst = 0, largest = 0;
    for (int i = 0; i < c.duration / scenario.step; ++i) {
      p.instance->set_inputs(simulator.time());
      ASSERT_EQ(simulator.step(scenario.step, p.description->method), runtime::Status::ok);
      if (i == 0)
        for (const step::PointResult& r : simulator.tread()) load += r.N / wheels;
      ASSERT_GT(load, 1e3);
      for (const auto* points : {&simulator.tread(), &simulator.flange()}) {
        for (const step::PointResult& r : *points) {
          const double f = std::hypot(r.f[0], r.f[1]), limit = c.friction * std::abs(r.N);
          worst = std::max(worst, (f - 1.01 * limit) / load);
          largest = std::max(largest, f / (limit + 0.01 * load));
        }
      }
    }
    // slips at all, or the test shows nothing
    EXPECT_GT(largest, 0.5);
    EXPECT_LT(worst, 0.006);
    EXPECT_EQ(simulator.doubts().creep.steps, 0);
  }
}

}  // namespace
}  // namespace klingel
