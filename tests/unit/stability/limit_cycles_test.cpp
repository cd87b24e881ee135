// Hunting of the bogie: none below its linear critical speed of 58.8 m/s, more and more above.
#include "stability/limit_cycles.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "compile/prepare_run.hpp"

namespace klingel::stability {
namespace {

TEST(limit_cycles, of_the_bogie_begin_at_its_critical_speed) {
  const compile::CompiledVehicle v =
      compile::compile(vehicle::load_scenario(KLINGEL_SOURCE_DIR "/vehicles/bogie/scenario.toml"));
  const CycleBranches b = limit_cycles(*v.description, {}, {54, 60, 66});
  ASSERT_EQ(b.up.size(), 3u);
  EXPECT_EQ(b.up[0].amplitude, 0);
  EXPECT_GT(b.up[1].amplitude, 3e-4);
  EXPECT_GT(b.up[2].amplitude, b.up[1].amplitude);
  EXPECT_NEAR(b.up[1].frequency, 5.96, 0.1);
  // both ways lead to the same cycles
  ASSERT_GE(b.down.size(), 3u);
  EXPECT_NEAR(b.down[1].amplitude, b.up[1].amplitude, 0.1 * b.up[1].amplitude);
  EXPECT_NEAR(b.lowest / 58.76, 1, 0.02);
  EXPECT_FALSE(b.to_the_end);
}

TEST(limit_cycles, wrong_speeds_are_errors) {
  const compile::CompiledVehicle v =
      compile::compile(vehicle::load_scenario(KLINGEL_SOURCE_DIR "/vehicles/bogie/scenario.toml"));
  EXPECT_THROW(limit_cycles(*v.description, {}, {}), base::Error);
  EXPECT_THROW(limit_cycles(*v.description, {}, {60, 50}), base::Error);
  EXPECT_THROW(limit_cycles(*v.description, {}, {0, 50}), base::Error);
}

}  // namespace
}  // namespace klingel::stability
