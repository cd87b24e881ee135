// Vehicles start anywhere: at random places of straight, curved, canted and rough track, beside the
// middle of it, in static or in steady motion. A place that is none is refused with a reason.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "tests/support/random.hpp"
#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using testing::HasSubstr;

// Starts at random places of a track and runs a little; returns how many starts were refused.
int start_everywhere(const char* vehicle, const char* track, double from, double to, double speed,
                     double offset, int times) {
  vehicle::Scenario s = vehicle::load_scenario(vehicle);
  s.track = track;
  s.hold.clear();
  s.inputs.clear();
  s.speed = speed;
  s.position = (from + to) / 2;
  compile::PreparedRun p = compile::prepare_run(s);
  test::Random random(5);
  int refused = 0;
  for (int i = 0; i < times; ++i) {
    start::Start& start = p.instance->start_options();
    start.position = random.uniform(from, to);
    start.held = {{*start.body[1], random.within(offset)}};
    SCOPED_TRACE(fmt::format("{} on {} at {:.2f} m, y {:.4f} m", vehicle, track, start.position,
                             start.held[0].value));
    try {
      p.instance->start();
    } catch (const base::Error& e) {
      ++refused;
      fmt::print("  {} on {} at {:.2f} m, y {:.4f} m\n    {}\n", vehicle, track, start.position,
                 start.held[0].value, e.what());
      EXPECT_THAT(e.what(), HasSubstr("hold"));
      continue;
    }
    for (int k = 0; k < 100; ++k) {
      if (p.simulator->step(1e-3) == runtime::Status::ok) continue;
      ADD_FAILURE() << "step " << k << ": " << p.simulator->failure_text();
      break;
    }
    // no wheel was thrown off by the start
    for (const double rate : p.simulator->state().dq) EXPECT_TRUE(std::isfinite(rate));
  }
  return refused;
}

TEST(places, the_locomotive_starts_anywhere) {
  EXPECT_EQ(start_everywhere("feve3000_corrected", "article_smooth", 6, 400, 20, 0.004, 12), 0);
  EXPECT_EQ(start_everywhere("feve3000_corrected", "article", 6, 400, 20, 0.004, 12), 0);
  EXPECT_EQ(start_everywhere("feve3000", "article_straight_irregular", 6, 400, 20, 0.005, 12), 0);
}

TEST(places, the_coach_starts_anywhere) {
  EXPECT_EQ(start_everywhere("manchester1", "random_straight", 15, 400, 30, 0.004, 8), 0);
  EXPECT_EQ(start_everywhere("manchester1", "curve_300", 15, 300, 18, 0.002, 8), 0);
  EXPECT_EQ(start_everywhere("manchester1", "curve_150", 15, 300, 10, 0.002, 8), 0);
}

TEST(places, beyond_the_rails_there_is_none) {
  vehicle::Scenario s = vehicle::load_scenario("manchester1");
  s.position = 1e5;
  try {
    compile::prepare_run(s);
    FAIL() << "started at 100 km";
  } catch (const base::Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("it can be put from"));
  }
}

}  // namespace
}  // namespace klingel
