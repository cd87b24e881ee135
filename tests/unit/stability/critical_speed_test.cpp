// Critical speeds of a suspended wheelset, and their derivatives against differences.
#include "stability/critical_speed.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "tests/support/steady_vehicle.hpp"

namespace klingel::stability {
namespace {

using support::steady_vehicle, support::SteadyChoice, support::SteadyVehicle;

SteadyChoice choice(const char* tread) {
  return {.set = {{"k_yaw", "1e6"}, {"k_y", "1e6"}}, .law = "linear", .tread = tread};
}

double critical_with(SteadyChoice c, const std::string& parameter, double value) {
  c.set.emplace_back(parameter, fmt::format("{:.17g}", value));
  const SteadyVehicle v = steady_vehicle("wheelset_suspended", c);
  return critical_speed(*v.motion(), {.largest = 150, .steps = 20}).speed.value();
}

TEST(critical_speed, the_mode_neither_grows_nor_fades_there) {
  const SteadyVehicle v = steady_vehicle("wheelset_suspended", choice("loaded"));
  const std::unique_ptr<SteadyMotion> m = v.motion();
  const Critical c = critical_speed(*m, {.largest = 150, .steps = 20});
  ASSERT_TRUE(c.speed);
  EXPECT_NEAR(c.mode.lambda.real(), 0, 1e-7);
  EXPECT_GT(c.slope, 0);
  m->settle(*c.speed - 1);
  const std::vector<Mode> below = modes(m->small_motions());
  EXPECT_NEAR(least_damped(below)->lambda.real() / -c.slope, 1, 0.02);
}

TEST(critical_speed, derivatives_by_parameters_equal_differences) {
  for (const char* tread : {"loaded", "rigid"}) {
    const SteadyVehicle v = steady_vehicle("wheelset_suspended", choice(tread));
    const std::unique_ptr<SteadyMotion> m = v.motion();
    const Critical c = critical_speed(*m, {.largest = 150, .steps = 20});
    for (const Sensitivity& s : sensitivities(*m, c)) {
      // W changes the loads that charts are made for
      if (s.parameter != "k_yaw" && s.parameter != "m" && s.parameter != "W") continue;
      const double h = 0.003 * s.value;
      const double d = (critical_with(choice(tread), s.parameter, s.value + h) -
                        critical_with(choice(tread), s.parameter, s.value - h)) /
                       (2 * h);
      printf("    %s, %s: %.6g, by differences %.6g\n", tread, s.parameter.c_str(), s.derivative,
             d);
      EXPECT_NEAR(s.derivative * s.value / *c.speed, d * s.value / *c.speed, 2e-3) << s.parameter;
    }
  }
}

TEST(critical_speed, where_there_is_none_it_says_so) {
  const SteadyVehicle stiff = steady_vehicle("wheelset_suspended");
  EXPECT_FALSE(critical_speed(*stiff.motion(), {.largest = 60, .steps = 6}).speed);
  const SteadyVehicle free = steady_vehicle("wheelset");
  const Critical c = critical_speed(*free.motion(), {.largest = 60, .steps = 6});
  EXPECT_FALSE(c.speed);
  EXPECT_TRUE(c.from_the_first) << "a free wheelset hunts at every speed";
  EXPECT_THROW(critical_speed(*free.motion(), {.largest = 1}), base::Error);
}

}  // namespace
}  // namespace klingel::stability
