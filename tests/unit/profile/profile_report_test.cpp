// Subject: profile/profile_report. Claims: measures are those of the standards, curvature has the
// stated sign, and wiggles of a spline are found where they are and nowhere else.
#include "profile/profile_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "profile/millimetre.hpp"
#include "profile/named_profile.hpp"
#include "profile/standard_profiles.hpp"
#include "tests/support/random.hpp"

namespace klingel::profile {
namespace {

TEST(profile_report, an_arc_has_its_length_and_radius) {
  for (const ProfileKind kind : {ProfileKind::rail, ProfileKind::wheel}) {
    const Profile p = arc(0.3, kind);
    const ProfileReport r = profile_report(p);
    const double half = kind == ProfileKind::rail ? 30 * mm : 60 * mm;
    EXPECT_NEAR(r.length, 2 * 0.3 * std::asin(half / 0.3), 1e-8);
    // a spline of 1e-9 m leaves about a thousandth of the curvature
    EXPECT_NEAR(sample(p, 0.01).curvature, 1 / 0.3, 0.01);
    EXPECT_EQ(r.curvature_sign_changes, 0);
    EXPECT_TRUE(r.extrema.empty());
  }
  // a hollow tread is concave
  EXPECT_NEAR(sample(arc(-0.33, ProfileKind::wheel), 0).curvature, -1 / 0.33, 0.01);
}

TEST(profile_report, wheel_measures_are_those_of_s1002) {
  const ProfileReport r = profile_report(s1002());
  ASSERT_TRUE(r.flange_height && r.flange_thickness && r.flange_qr && r.flange_angle);
  EXPECT_NEAR(*r.flange_height, 28 * mm, 1e-6);
  EXPECT_NEAR(*r.flange_thickness, 32.5 * mm, 1e-6);
  EXPECT_NEAR(*r.flange_qr, 10.79 * mm, 0.01 * mm);
  EXPECT_NEAR(*r.flange_angle, 70 * M_PI / 180, 1e-4);
  EXPECT_NEAR(r.zone_begin, -55 * mm, 0.03 * mm);
  EXPECT_NEAR(r.sharpest_convex.curvature, 1 / (12 * mm), 1);
  EXPECT_NEAR(r.sharpest_concave.curvature, -1 / (13 * mm), 1);
  // flange to root, tread back to convex near the field side
  EXPECT_EQ(r.curvature_sign_changes, 2);
  EXPECT_FALSE(r.head_width);
}

TEST(profile_report, rail_measures_are_those_of_60E1) {
  const ProfileReport r = profile_report(profile("60E1"));
  ASSERT_TRUE(r.head_width && r.highest_y);
  // 71.96 mm at 14 mm: the corner ends 14.3 mm below the top, where the head is 72 mm wide
  EXPECT_NEAR(*r.head_width, 71.965 * mm, 0.01 * mm);
  EXPECT_NEAR(*r.highest_y, 0, 0.03 * mm);
  EXPECT_NEAR(r.sharpest_convex.curvature, 1 / (13 * mm), 1);
  EXPECT_FALSE(r.flange_height);
  EXPECT_NEAR(*profile_report(profile("60E1:1:40")).highest_y, 7.498 * mm, 0.03 * mm);
}

TEST(profile_report, the_locomotives_rail_wiggles) {
  const ProfileReport r = profile_report(profile("feve_rail"));
  // 250 mm in the middle between two flatter places of 500 mm
  int flat = 0;
  for (const CurvatureExtremum& e : r.extrema) flat += std::abs(1 / e.curvature - 0.4988) < 1e-3;
  EXPECT_EQ(flat, 2);
  EXPECT_GE(r.extrema.size(), 7u);
  EXPECT_LT(r.jump[1], 1e-9);
}

TEST(profile_report, noise_shows_as_extrema) {
  test::Random random(1);
  ProfilePoints points = {"worn", "", ProfileKind::wheel, {}};
  for (double y = -60; y <= 60; y += 0.5) {
    points.points.push_back({y * mm, s1002_z(y * mm) + random.within(0.005 * mm), 1, 0});
  }
  const std::size_t rough = profile_report(fit_profile(points).profile).extrema.size();
  FitOptions options;
  options.smooth = 0.004 * mm;
  const std::size_t calm = profile_report(fit_profile(points, options).profile).extrema.size();
  EXPECT_GT(rough, 50u);
  EXPECT_LT(calm, rough / 2);
}

TEST(profile_report, jumps_are_found_with_their_place) {
  Profile p = cone(0.05);
  p.z =
      spline::CubicSpline({-0.05, 0.01, 0.05}, {{0, 0, -0.05, 0, 0}, {0, 1, -0.02, -0.0005, 0.01}});
  const ProfileReport r = profile_report(p);
  EXPECT_NEAR(r.jump[0], 0, 1e-15);
  EXPECT_NEAR(r.jump[1], 0.03, 1e-12);
  EXPECT_NEAR(r.jump[2], 2, 1e-12);
  EXPECT_EQ(r.jump_y[2], 0.01);
}

TEST(profile_report, samples_stand_at_round_places) {
  const auto list = samples(s1002(), 5 * mm);
  EXPECT_EQ(list.front().y, s1002().z.begin());
  EXPECT_EQ(list.back().y, 60 * mm);
  EXPECT_EQ(list[1].y, -65 * mm);
  EXPECT_EQ(list.size(), 27u);
}

}  // namespace
}  // namespace klingel::profile
