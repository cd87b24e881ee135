// Subject: profile/profile and profile_points. Claims: the two sides of a vehicle use mirror
// images of one profile; points that are no profile are refused with the reason; steep ends are
// cut, twins thinned, noise smoothed, and the spline does not swing between the points.
#include "profile/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "profile/millimetre.hpp"
#include "profile/profile_points.hpp"
#include "profile/standard_profiles.hpp"
#include "tests/support/random.hpp"

namespace klingel::profile {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::ThrowsMessage;

// S1002 in steps of `step` mm, line i + 1 for point i.
ProfilePoints wheel(double step = 0.5) {
  ProfilePoints p = {"worn", "worn.csv", ProfileKind::wheel, {}};
  int line = 0;
  for (double y = -68; y <= 60; y += step) p.points.push_back({y * mm, s1002_z(y * mm), 1, ++line});
  return p;
}

// A head of radii 300 and 13 mm with vertical sides that go on below, as a full rail does.
ProfilePoints rail() {
  ProfilePoints p = {"rail", "rail.prr", ProfileKind::rail, {}};
  int line = 0;
  const auto add = [&](double y, double z) { p.points.push_back({y * mm, z * mm, 1, ++line}); };
  // neck and side, upwards
  for (double z = 50; z > 41; z -= 1) add(-8, z);
  for (double z = 40; z > 14; z -= 0.5) add(-36, z);
  for (double a = -90; a < -4; a += 1) {
    add(-23 + 13 * std::sin(a * M_PI / 180), 14 - 13 * std::cos(a * M_PI / 180));
  }
  for (double y = -23; y <= 23; y += 0.5) add(y, 1 - (529 - y * y) / 600);
  for (double a = 5; a <= 90; a += 1) {
    add(23 + 13 * std::sin(a * M_PI / 180), 14 - 13 * std::cos(a * M_PI / 180));
  }
  for (double z = 15; z < 40; z += 0.5) add(36, z);
  return p;
}

void expect_refused(const ProfilePoints& points, const char* place, const char* words) {
  EXPECT_THAT([&] { fit_profile(points); },
              ThrowsMessage<base::Error>(AllOf(StartsWith(place), HasSubstr(words))));
}

TEST(profile, both_sides_are_mirror_images) {
  const Profile p = s1002();
  const spline::CubicSpline left = wheel_function(p, Side::left, 0.46);
  const spline::CubicSpline right = wheel_function(p, Side::right, 0.46);
  // u points left on both sides: the flange is at u < 0 on the left wheel, at u > 0 on the right
  EXPECT_NEAR(left.value(-0.055), 0.488, 1e-7);
  EXPECT_NEAR(right.value(0.055), 0.488, 1e-7);
  const Profile r = rail_head(head_60e1, "60E1");
  const Profile leaning = inclined(r, 0.025);
  EXPECT_NEAR(rail_function(leaning, Side::left).value(0.01),
              rail_function(leaning, Side::right).value(-0.01), 1e-15);
  EXPECT_LT(rail_function(r, Side::left).value(0.03), 0);
  EXPECT_EQ(profile_y(Side::left, 0.01), 0.01);
  EXPECT_EQ(profile_y(Side::right, 0.01), -0.01);
}

TEST(profile_points, a_wheel_is_fitted_between_its_points) {
  const FittedProfile p = fit_profile(wheel());
  EXPECT_THAT(p.notes, IsEmpty());
  EXPECT_EQ(p.points.size(), 257u);
  for (double y = -66; y < 60; y += 0.1) {
    // z'' jumps by 1900/m at the flange; points 0.5 mm apart leave about 3 % of 1900 h^2
    EXPECT_NEAR(p.profile.z.value(y * mm), s1002_z(y * mm), 15e-6) << y;
  }
}

TEST(profile_points, the_order_may_be_reversed) {
  ProfilePoints p = wheel();
  std::reverse(p.points.begin(), p.points.end());
  EXPECT_EQ(fit_profile(p).profile.z.value(0.0123), fit_profile(wheel()).profile.z.value(0.0123));
}

TEST(profile_points, a_whole_rail_is_cut_to_its_head) {
  const FittedProfile p = fit_profile(rail());
  EXPECT_GT(p.profile.z.begin(), -36 * mm);
  EXPECT_LT(p.profile.z.begin(), -35.8 * mm);
  EXPECT_LT(p.profile.z.end(), 36 * mm);
  ASSERT_FALSE(p.notes.empty());
  EXPECT_THAT(p.notes[0], HasSubstr("beyond slopes of 10:1 left out"));
}

TEST(profile_points, the_spline_does_not_swing_between_points_of_steep_ends) {
  // corners sampled every degree, up to a slope of ten: distance from the true arc
  const FittedProfile p = fit_profile(rail());
  for (double y = 24; y < p.profile.z.end() / mm; y += 0.001) {
    const double off = std::hypot(y - 23, 14 - p.profile.z.value(y * mm) / mm) - 13;
    EXPECT_LT(std::abs(off), 2e-3) << y;
  }
}

TEST(profile_points, points_that_nearly_coincide_are_thinned) {
  ProfilePoints p = wheel();
  for (int i = 0; i < 50; ++i) {
    ProfilePoint twin = p.points[static_cast<std::size_t>(2 * i)];
    twin.y += 2e-9;
    p.points.insert(p.points.begin() + 2 * i + 1, twin);
  }
  const FittedProfile fitted = fit_profile(p);
  EXPECT_EQ(fitted.points.size(), 257u);
  EXPECT_THAT(fitted.notes, ElementsAre(HasSubstr("50 points closer than 0.001 mm")));
  EXPECT_NEAR(fitted.profile.z.value(-0.0503), s1002_z(-0.0503), 15e-6);
}

TEST(profile_points, too_few_or_broken_points_are_refused) {
  ProfilePoints p = wheel();
  p.points.resize(4);
  expect_refused(p, "worn.csv:", "at least 5 points, found 4");
  p = wheel();
  p.points[7].z = std::nan("");
  expect_refused(p, "worn.csv:8:", "finite");
  p = wheel();
  p.points[7].weight = 0;
  expect_refused(p, "worn.csv:8:", "weight");
  p.file.clear();
  expect_refused(p, "profile 'worn':", "weight");
}

TEST(profile_points, disorder_is_refused) {
  ProfilePoints p = wheel();
  std::swap(p.points[150].y, p.points[151].y);
  expect_refused(p, "worn.csv:152:", "must be in order of y");
  // one wrong digit near the end puts a point beyond the first one: no step there is steep
  p = wheel();
  p.points[4].y -= 20 * mm;
  expect_refused(p, "worn.csv:5:", "must be in order of y");
  p = wheel();
  p.points[p.points.size() - 5].y += 20 * mm;
  expect_refused(p, "worn.csv:", "must be in order of y");
  p = wheel();
  p.points.insert(p.points.begin() + 150, p.points[150]);
  expect_refused(p, "worn.csv:151:", "stands twice in a row");
  p = wheel();
  p.points[200].z = -0.030;
  expect_refused(p, "worn.csv:201:", "z jumps from");
}

TEST(profile_points, gaps_are_refused) {
  ProfilePoints p = wheel();
  p.points.erase(p.points.begin() + 150, p.points.begin() + 170);
  expect_refused(p, "worn.csv:171:", "no points between y = 6.5 and 17 mm");
  // uneven but not missing
  p = wheel();
  p.points.erase(p.points.begin() + 150, p.points.begin() + 153);
  EXPECT_NO_THROW(fit_profile(p));
}

TEST(profile_points, wrong_units_are_refused) {
  ProfilePoints p = wheel();
  for (ProfilePoint& q : p.points) q.y *= 1000, q.z *= 1000;
  expect_refused(p, "worn.csv:1:", "is 128 m wide, expected 0.01 to 0.3 m");
  p = wheel();
  for (ProfilePoint& q : p.points) q.y /= 1000, q.z /= 1000;
  expect_refused(p, "worn.csv:1:", "unit");
  p = wheel();
  for (ProfilePoint& q : p.points) q.z += 3;
  expect_refused(p, "worn.csv:1:", "more than 1 m from");
}

TEST(profile_points, a_profile_the_wrong_way_round_is_refused) {
  ProfilePoints p = wheel();
  for (ProfilePoint& q : p.points) q.z = -q.z;
  expect_refused(p, "worn.csv:27:", "flange points up");
  p = wheel();
  for (ProfilePoint& q : p.points) q.y = -q.y;
  expect_refused(p, "worn.csv:27:", "flange is on the outer side");
  p = wheel();
  for (ProfilePoint& q : p.points) q.y += 0.100;
  expect_refused(p, "worn.csv:1:", "misses its taping line");
  ProfilePoints r = rail();
  for (ProfilePoint& q : r.points) q.z = -q.z;
  expect_refused(r, "rail.prr:1:", "upside down");
}

TEST(profile_points, odd_things_are_noted) {
  ProfilePoints p = wheel();
  for (ProfilePoint& q : p.points) q.z += 0.005;
  EXPECT_THAT(fit_profile(p).notes, ElementsAre(HasSubstr("taping line is 5.00 mm")));
  ProfilePoints r = {"leaning", "", ProfileKind::rail, {}};
  const Profile leaning = inclined(rail_head(head_60e1, "60E1"), -0.025);
  for (const double y : leaning.z.knots()) r.points.push_back({y, leaning.z.value(y), 1, 0});
  EXPECT_THAT(fit_profile(r).notes, ElementsAre(HasSubstr("leans outwards")));
}

TEST(profile_points, noisy_points_make_a_note_and_smoothing_helps) {
  test::Random random(3);
  ProfilePoints p = wheel(0.1);
  for (ProfilePoint& q : p.points) q.z += random.within(0.02 * mm);
  FitOptions options;
  // noise of 0.02 mm uniform has a mean square of 0.0115 mm
  options.smooth = 0.0115 * mm;
  const Profile rough = fit_profile(p).profile, calm = fit_profile(p, options).profile;
  double rough_worst = 0, calm_worst = 0, distance = 0;
  for (double y = -30; y < 55; y += 0.05) {
    const double truth = y < -26 ? 0 : 2 * 0.00157 / mm;
    rough_worst = std::max(rough_worst, std::abs(rough.z.second_derivative(y * mm) - truth));
    calm_worst = std::max(calm_worst, std::abs(calm.z.second_derivative(y * mm) - truth));
    distance = std::max(distance, std::abs(calm.z.value(y * mm) - s1002_z(y * mm)));
  }
  // noise of 0.02 mm over points 0.1 mm apart is thousands of 1/m in curvature
  EXPECT_GT(rough_worst, 3000);
  EXPECT_LT(calm_worst, 150);
  EXPECT_LT(distance, 0.02 * mm);
}

TEST(profile_points, smoothing_moves_the_points_by_what_is_asked) {
  test::Random random(4);
  ProfilePoints p = wheel(0.2);
  for (ProfilePoint& q : p.points) q.z += random.within(0.01 * mm);
  FitOptions options;
  options.smooth = 0.004 * mm;
  const FittedProfile fitted = fit_profile(p, options);
  double sum = 0;
  for (std::size_t i = 0; i < fitted.points.size(); ++i) {
    const double y = fitted.profile.z.knots()[i];
    sum += std::pow(y - fitted.points[i].y, 2) +
           std::pow(fitted.profile.z.value(y) - fitted.points[i].z, 2);
  }
  EXPECT_NEAR(std::sqrt(sum / static_cast<double>(fitted.points.size())), options.smooth,
              1e-6 * options.smooth);
  options.smooth = 0.01;
  EXPECT_THAT([&] { fit_profile(p, options); },
              ThrowsMessage<base::Error>(HasSubstr("1 mm at most, found 10 mm")));
  options.smooth = -1;
  EXPECT_THAT([&] { fit_profile(p, options); }, ThrowsMessage<base::Error>(HasSubstr("positive")));
}

}  // namespace
}  // namespace klingel::profile
