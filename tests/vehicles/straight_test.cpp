// The authors' locomotive on straight track, as their own program ran it.
#include <gtest/gtest.h>

#include "tests/vehicles/vehicle_run.hpp"

namespace klingel {
namespace {

using test::VehicleRun;

TEST(straight, locomotive_presses_on_the_rails_with_its_weight) {
  VehicleRun r("feve3000");
  ASSERT_EQ(r.go().end, record::RunEnd::completed) << r.summary.message;
  double sum = 0;
  for (const run::WheelData& w : r.simulator().data().wheels) sum += r.mean("N." + w.name, 15, 20);
  // what the authors' program gives; the tolerance is what the contact angles of its hunting change
  EXPECT_NEAR(sum, 335.66e3, 2e-4 * 335.66e3);
  EXPECT_LT(r.summary.max_phi, 1e-6);
  EXPECT_LT(r.unbalanced(), 0.01);
}

}  // namespace
}  // namespace klingel
