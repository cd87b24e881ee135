// Subject: compile/driver. Claim: a driver keeps the speed of a profile, by the body or by the
// wheelsets; friction follows place and side of the wheels.
#include "compile/driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "compile/prepare_run.hpp"

namespace klingel::compile {
namespace {

using testing::HasSubstr;

vehicle::Scenario scenario_with(const std::string& text) {
  vehicle::Scenario s = vehicle::parse_scenario(
      "[scenario]\nvehicle = 'wheelset_suspended'\nspeed = 10\nduration = 100\n" + text, "s.toml");
  return s;
}

std::string message(const std::string& text) {
  try {
    compile(scenario_with(text), {exec::Backend::interpreter});
  } catch (const base::Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(driver, keeps_a_speed_and_follows_a_ramp) {
  for (const char* mode : {"body", "wheelsets"}) {
    SCOPED_TRACE(mode);
    PreparedRun run =
        prepare_run(scenario_with("[driver]\nmode = '" + std::string(mode) +
                                  "'\ns = [0, 20, 40, 60]\nspeed = [10, 10, 12, 12]\n"),
                    {exec::Backend::interpreter});
    simulation::Instance& v = *run.instance;
    const std::size_t speed = v.channel("speed"), s = v.channel("s");
    while (v.value(s) < 10) ASSERT_TRUE(v.step()) << v.failure();
    EXPECT_NEAR(v.value(speed), 10, 0.02);
    while (v.value(s) < 30) ASSERT_TRUE(v.step()) << v.failure();
    EXPECT_NEAR(v.value(speed), 11, 0.05);
    while (v.value(s) < 60) ASSERT_TRUE(v.step()) << v.failure();
    EXPECT_NEAR(v.value(speed), 12, 0.02);
  }
}

TEST(driver, friction_follows_place_and_side) {
  PreparedRun run = prepare_run(
      scenario_with("[rail_friction]\ns = [0, 5, 6]\nleft = [0.4, 0.4, 0.1]\nright = 0.3\n"),
      {exec::Backend::interpreter});
  simulation::Instance& v = *run.instance;
  const std::size_t left = v.wheel("wheelset.left"), right = v.wheel("wheelset.right");
  const std::size_t s = v.channel("s");
  while (v.value(s) < 4) ASSERT_TRUE(v.step());
  EXPECT_EQ(v.simulator().friction(left), 0.4);
  EXPECT_EQ(v.simulator().friction(right), 0.3);
  while (v.value(s) < 5.5) ASSERT_TRUE(v.step());
  EXPECT_NEAR(v.simulator().friction(left), 0.25, 0.01);
  while (v.value(s) < 7) ASSERT_TRUE(v.step());
  EXPECT_EQ(v.simulator().friction(left), 0.1);
  EXPECT_EQ(v.simulator().friction(right), 0.3);
}

TEST(driver, wrong_ones_are_errors) {
  EXPECT_THAT(message("[driver]\nmode = 'body'\n"), HasSubstr("'speed' is missing"));
  EXPECT_THAT(message("[driver]\nspeed = [1, 2]\n"), HasSubstr("as many numbers as 's'"));
  EXPECT_THAT(message("[driver]\nspeed = -1\n"), HasSubstr("'speed' must be from 0 to 300"));
  EXPECT_THAT(message("[driver]\ns = [1, 0]\nspeed = [1, 2]\n"), HasSubstr("'s' must ascend"));
  EXPECT_THAT(message("[rail_friction]\ns = [0]\nleft = -0.1\nright = 0.3\n"),
              HasSubstr("'left' must be from 0.001 to 2, found -0.1"));
  EXPECT_THAT(message("[driver]\nspeed = 1\nsped = 2\n"), HasSubstr("did you mean 'speed'"));
}

}  // namespace
}  // namespace klingel::compile
