// Numbers of scenarios: files and options go through the same checks.
#include "vehicle/scenario_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/error_of.hpp"

namespace klingel::vehicle {
namespace {

using test::error_of;
using testing::HasSubstr;

std::string refusal(std::string_view key, double value) {
  return error_of([&] {
    Scenario s;
    set_number(s, key, value, {"--option", 0, 0});
  });
}

TEST(scenario_numbers, what_is_not_finite_is_refused_for_all_of_them) {
  for (const ScenarioNumber& n : scenario_numbers()) {
    for (const double value : {std::nan(""), double(INFINITY), -double(INFINITY)})
      EXPECT_THAT(refusal(n.key, value), HasSubstr("must be finite")) << n.key;
    EXPECT_THAT(refusal(n.key, 1e300), HasSubstr("found 1e+300")) << n.key;
    EXPECT_THAT(refusal(n.key, -1e300), HasSubstr("found -1e+300")) << n.key;
  }
}

TEST(scenario_numbers, limits_are_said_with_the_place) {
  EXPECT_EQ(refusal("creep.friction", -0.3),
            "--option: 'friction' must be greater than zero, found -0.3");
  EXPECT_EQ(refusal("scenario.step", 0), "--option: 'step' must be greater than zero, found 0");
  EXPECT_EQ(refusal("scenario.step", 2), "--option: 'step' must be at most 1 s, found 2");
  EXPECT_EQ(refusal("scenario.speed", 400),
            "--option: 'speed' must be from -300 to 300 m/s, found 400");
  EXPECT_EQ(refusal("scenario.speed", -20), "no error");
}

TEST(scenario_numbers, a_file_is_checked_by_the_same_limits) {
  const auto of_file = [](const std::string& text) {
    return error_of([&] { parse_scenario("[scenario]\nvehicle = 'wheelset'\n" + text, "s.toml"); });
  };
  EXPECT_EQ(of_file("speed = 400\n"),
            "s.toml:3:9: 'speed' must be from -300 to 300 m/s, found 400");
  EXPECT_THAT(of_file("[creep]\nfriction = { 'wheelset.left' = -1 }\n"),
              HasSubstr("s.toml:4:32: 'wheelset.left' must be greater than zero"));
  EXPECT_THAT(of_file("[output]\ninterval = 1e9\n"), HasSubstr("'interval' must be at most"));
}

TEST(scenario_numbers, a_run_without_a_step_is_refused) {
  Scenario s;
  s.duration = 1e-9;
  EXPECT_THAT(error_of([&] { check_times(s); }), HasSubstr("shorter than one time step"));
  s.duration = s.step;
  EXPECT_EQ(error_of([&] { check_times(s); }), "no error");
}

}  // namespace
}  // namespace klingel::vehicle
