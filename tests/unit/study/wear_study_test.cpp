// A wear study of a bogie in a wide curve: what profiles lose is T-gamma times the constant of the
// law, on the wheel and on the rail.
#include "study/wear_study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "profile/profile_file.hpp"

namespace klingel::study {
namespace {

TEST(wear_study, profiles_lose_T_gamma_times_the_constant_of_the_law) {
  const WearStudy study = parse_wear_study(
      "[wear]\nmileage = 2000\nvehicles = 200000\nmost_km = 1000\nmost_depth = 1\nskip = 10\n"
      "[[case]]\nrun = \"" KLINGEL_SOURCE_DIR
      "/vehicles/bogie\"\ntrack = \"curve_1000\"\nspeed = 30\nduration = 4\n",
      "wear.toml");
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "klingel_wear_test";
  std::filesystem::create_directories(folder);
  int rails = 0;
  const auto keep = [&](const profile::Profile& p, double km) {
    const bool rail = p.kind == profile::ProfileKind::rail;
    rails += rail;
    const auto path = folder / ((rail ? "rail" : "wheel") + std::to_string(int(km)) + ".pieces");
    profile::write_profile(p, path);
    return path.string();
  };
  const WearResult r = run_wear(study, keep);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(r.steps.size(), 3u);
  EXPECT_EQ(rails, 2);  // the first are those of the track
  const WearStep &first = r.steps[0], &last = r.steps[2];

  // wide curves wear mildly: 5.3 micrograms per metre and N, over the circumference of the wheel
  ASSERT_GT(first.T_gamma, 1);
  const double mass = 5.3e-9 * first.T_gamma, around = 2 * std::numbers::pi * r.radius;
  EXPECT_NEAR(first.wheel_rate.section() / (mass / (7850 * around)), 1, 1e-6);
  // two wheels of the bogie pass over each rail
  EXPECT_NEAR(first.rail_rate.section() / (2 * mass / 7850), 1, 1e-6);

  // and what is lost is what the profiles have less: z is down, wheels are above their surface
  double wheel = 0, rail = 0;
  for (double y = -0.06; y < 0.05; y += 1e-5)
    wheel += 1e-5 * (first.wheel.z.value(y) - last.wheel.z.value(y));
  for (double y = first.rail.z.begin(); y < first.rail.z.end(); y += 1e-5)
    rail += 1e-5 * (last.rail.z.value(y) - first.rail.z.value(y));
  EXPECT_NEAR(wheel / last.section, 1, 0.01);
  EXPECT_NEAR(rail / last.rail_section, 1, 0.01);
  EXPECT_NEAR(last.section, 1e6 * (first.wheel_rate.section() + r.steps[1].wheel_rate.section()),
              1e-15);
}

}  // namespace
}  // namespace klingel::study
