// Material that is lost stays in the balance: spread over patches, smoothed, taken off profiles.
#include "wear/wear_map.hpp"

#include <gtest/gtest.h>

#include "profile/profile_file.hpp"
#include "profile/standard_profiles.hpp"
#include "wear/wear_law.hpp"
#include "wear/worn_profile.hpp"

namespace klingel::wear {
namespace {

TEST(wear_map, a_patch_removes_its_section_deepest_in_its_middle) {
  WearMap map(-0.02, 0.02);
  map.add(0.0031, 4e-3, 0, 2e-9);
  EXPECT_NEAR(map.section(), 2e-9, 1e-20);
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < map.depth().size(); ++i) {
    if (map.depth()[i] > map.depth()[deepest]) deepest = i;
    if (std::abs(map.y(i) - 0.0031) > 4.2e-3) EXPECT_EQ(map.depth()[i], 0);
  }
  EXPECT_NEAR(map.y(deepest), 0.0031, 0.25e-3);
  // a parabola over 2 b has 3/4 section/b in its middle
  EXPECT_NEAR(map.depth()[deepest], 0.75 * 2e-9 / 4e-3, 1e-9);
}

TEST(wear_map, a_patch_of_surfaces_that_agree_is_cut_and_keeps_its_section) {
  WearMap map(-0.06, 0.06);
  map.add(0.01, 0.3, 0, 2e-9);
  EXPECT_NEAR(map.section(), 2e-9, 1e-20);
  for (std::size_t i = 0; i < map.depth().size(); ++i)
    if (std::abs(map.y(i) - 0.01) > WearMap::widest + 0.25e-3) EXPECT_EQ(map.depth()[i], 0);
}

TEST(wear_map, smoothing_keeps_the_section_at_the_ends_too) {
  WearMap map(-0.02, 0.02);
  map.add(-0.0199, 1e-3, 0, 1e-9);
  map.add(0.01, 1e-3, 1.2, 3e-9);
  EXPECT_NEAR(map.smoothed(1.5e-3).section(), 4e-9, 1e-18);
}

TEST(wear_map, the_worn_profile_differs_by_what_is_lost_and_is_read_back_from_its_file) {
  const profile::Profile wheel = profile::s1002();
  WearMap lost(wheel.z.begin(), wheel.z.end());
  lost.add(0.0, 8e-3, 0, 1e-6);
  lost.add(-0.036, 2e-3, 1.0, 5e-7);
  const WearMap smooth = lost.smoothed(1.5e-3);
  const profile::Profile after = worn(wheel, smooth, "worn");
  double section = 0;
  for (double y = -0.065; y < 0.055; y += 1e-5) {
    const double less = wheel.z.value(y) - after.z.value(y);
    EXPECT_GT(less, -2e-6) << y;  // the spline may swing by a part of a micrometre
    section += 1e-5 * less;
  }
  EXPECT_NEAR(section, 1.5e-6, 2e-8);
  EXPECT_LT(after.z.largest_jump(0), 1e-12);
  EXPECT_LT(after.z.largest_jump(1), 1e-9);
  const std::string text = profile_text(after, profile::ProfileFormat::pieces);
  const profile::Profile again =
      profile::read_profile_text(text, "worn.pieces", profile::ProfileFormat::pieces).profile;
  EXPECT_EQ(again.z, after.z);
}

TEST(wear_law, sheffield_is_continuous_and_both_laws_grow_with_the_energy) {
  const double area = 100e-6, r = 0.46;
  const auto at = [&](double I) { return mass_lost(WearLaw::usfd, I * 100, area, r); };
  EXPECT_NEAR(at(10), 5.3 * 10 * 100 * 1e-9, 1e-15);
  EXPECT_NEAR(at(50), 55 * 100 * 1e-9, 1e-15);
  EXPECT_NEAR(at(77.2 - 1e-9) / at(77.2 + 1e-9), 1, 1e-6);
  // 0.25 T/D mm^2/km at 50 N and 920 mm
  const double section = wheel_section(mass_lost(WearLaw::pearce, 50, area, r), r);
  EXPECT_NEAR(1e9 * section, 0.25 * 50 / 920, 1e-9);
  EXPECT_GT(mass_lost(WearLaw::pearce, 300, area, r), mass_lost(WearLaw::pearce, 150, area, r));
  EXPECT_EQ(mass_lost(WearLaw::usfd, 0, area, r), 0);
}

}  // namespace
}  // namespace klingel::wear
