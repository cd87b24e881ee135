// A wheelset on its track: cones with closed answers, S1002 against published figures, jumps.
#include "contact/wheelset_contact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "contact_surfaces.hpp"
#include "profile/named_profile.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/reference.hpp"

namespace klingel::contact {
namespace {

using klingel::test::reference_table;
using klingel::test::ReferenceRow;
using testing::HasSubstr;

// A rail whose head is one arc, deep enough to measure the gauge on it.
profile::Profile arc_rail(double R) {
  profile::Profile p;
  p.name = "arc";
  p.kind = profile::ProfileKind::rail;
  p.z = test::arc(R, 0, 0.7 * R).transformed(-1, 0);
  return p;
}

profile::Profile cone_wheel(double conicity) {
  profile::Profile p;
  p.name = "cone";
  p.z = spline::CubicSpline({-0.07, 0.07}, {{0, 0, -conicity, 0.07 * conicity, -0.07}});
  return p;
}

using klingel::test::error_of;

TEST(wheelset_contact, cones_without_roll_differ_by_twice_conicity_times_y) {
  const WheelsetGeometry g(cone_wheel(0.05), arc_rail(0.08), {});
  for (const double y : {-0.006, -0.001, 0.0, 0.002, 0.005}) {
    const auto c = g.at(y, 0, 0.0);
    ASSERT_TRUE(c);
    EXPECT_NEAR(c->delta_r(), 2 * 0.05 * y, 1e-12);
    EXPECT_NEAR(c->left.angle, std::atan(0.05), 1e-8);
    EXPECT_NEAR(c->right.angle, std::atan(0.05), 1e-8);
    EXPECT_FALSE(c->left.second);
  }
}

TEST(wheelset_contact, rails_stand_half_a_gauge_from_the_centre_at_its_depth) {
  WheelsetPlacement p;
  p.inclination = std::atan(1.0 / 40);
  const profile::Profile rail = profile::profile("60E1", profile::ProfileKind::rail);
  const WheelsetGeometry upright(cone_wheel(0.05), rail, {});
  EXPECT_DOUBLE_EQ(2 * upright.rail_offset(profile::Side::left),
                   rail_distance(profile::standard_gauge, rail));
  // an inclined rail and the profile of the inclined rail are the same rail
  const WheelsetGeometry leaning(cone_wheel(0.05), rail, p);
  const WheelsetGeometry leant(cone_wheel(0.05),
                               profile::profile("60E1:1:40", profile::ProfileKind::rail), {});
  for (const double y : {0.0, 0.004}) {
    const auto a = leaning.at(y, 0.01), b = leant.at(y, 0.01);
    ASSERT_TRUE(a && b);
    EXPECT_NEAR(a->left.wheel_y, b->left.wheel_y, 2e-6);  // the leant profile is fitted anew
    EXPECT_NEAR(a->left.angle, b->left.angle, 1e-5);
    EXPECT_NEAR(a->roll, b->roll, 1e-7);
  }
}

TEST(wheelset_contact, roll_is_found_so_that_both_wheels_touch_at_the_same_height) {
  const WheelsetGeometry g(profile::profile("S1002"), profile::profile("60E1:1:40"), {});
  for (const double y : {-0.007, -0.003, 0.001, 0.0055, 0.009}) {
    for (const double yaw : {0.0, 0.02}) {
      const auto c = g.at(y, yaw);
      ASSERT_TRUE(c);
      EXPECT_NEAR(c->left.lift, c->right.lift, 1e-12);
      EXPECT_NEAR(c->left.point.gap, 0, 1e-12);
      EXPECT_NEAR(c->right.point.gap, 0, 1e-12);
      // the mirror image
      const auto m = g.at(-y, -yaw);
      ASSERT_TRUE(m);
      EXPECT_NEAR(m->roll, -c->roll, 1e-11);
      EXPECT_NEAR(m->right.wheel_y, c->left.wheel_y, 1e-8);
    }
  }
}

TEST(wheelset_contact, different_sides_stand_each_by_its_own_profiles) {
  profile::Profile narrow = cone_wheel(0.1);
  narrow.flange_back += 0.001;
  const SideProfiles left{cone_wheel(0.05), arc_rail(0.08)}, right{narrow, arc_rail(0.2)};
  const WheelsetGeometry g(left, right, {}), both_left(left.wheel, left.rail, {}),
      both_right(right.wheel, right.rail, {});
  EXPECT_EQ(g.wheel_offset(profile::Side::right), both_right.wheel_offset(profile::Side::right));
  EXPECT_NEAR(g.wheel_offset(profile::Side::left) - g.wheel_offset(profile::Side::right), 0.001,
              1e-15);
  EXPECT_EQ(g.rail_offset(profile::Side::right), both_right.rail_offset(profile::Side::right));
  for (const double y : {-0.004, 0.0, 0.003}) {
    // let down alone, each wheel is where it is with its own kind on the other side
    const auto c = g.at(y, 0, 0.0), l = both_left.at(y, 0, 0.0), r = both_right.at(y, 0, 0.0);
    ASSERT_TRUE(c && l && r);
    EXPECT_EQ(c->left.wheel_y, l->left.wheel_y);
    EXPECT_EQ(c->left.rolling_radius, l->left.rolling_radius);
    EXPECT_EQ(c->right.rail_y, r->right.rail_y);
    EXPECT_EQ(c->right.rolling_radius, r->right.rolling_radius);
    // and together they find a roll; swapped sides are the mirror image
    const auto both = g.at(y, 0), mirror = WheelsetGeometry(right, left, {}).at(-y, 0);
    ASSERT_TRUE(both && mirror);
    EXPECT_NEAR(both->left.lift, both->right.lift, 1e-12);
    EXPECT_NEAR(mirror->roll, -both->roll, 1e-11);
    EXPECT_NEAR(mirror->right.wheel_y, both->left.wheel_y, 1e-8);
    EXPECT_NEAR(mirror->left.lift, both->left.lift, 1e-12);
  }
  EXPECT_NEAR(g.at(0, 0)->left.lift, 0, 1e-15);
  EXPECT_NE(g.at(0, 0)->roll, 0);
}

// wheel coordinate and rolling radius of S1002 on UIC60 (1:40) in mm with the roll in rad, wheelset
// to the right, from near-rigid computations of a boundary element program (100 N)
struct Fact {
  double y, yaw, roll, right_wheel, right_radius, left_wheel, left_radius;
};
constexpr Fact facts[] = {
    {-3, 0, -0.0001803, -13.1021, 460.7792, 10.4403, 459.7858},
    {-5, 0, -0.0003554, -28.6031, 463.4490, 13.1452, 459.7596},
    {-8, 0, -0.008606, -42.3225, 480.5105, 20.3039, 459.6823},
    {-3, -0.0072, -0.0001803, -13.0687, 460.7761, 10.4689, 459.7855},
    {-10, -0.024, -0.01126, -44.3839, 482.8016, 22.5678, 459.6389},
};

TEST(wheelset_contact, published_points_of_S1002_are_met) {
  // the built-in rail rounds its gauge corner in another place than the published one by up to
  // 0.5 mm, so only contacts away from it are compared here; the full table is below
  const WheelsetGeometry g(profile::profile("S1002"), profile::profile("60E1:1:40"), {});
  for (const Fact& f : facts) {
    const auto c = g.at(1e-3 * f.y, f.yaw, f.roll);
    ASSERT_TRUE(c);
    EXPECT_NEAR(1e3 * c->left.wheel_y, f.left_wheel, 0.05) << "y " << f.y;
    EXPECT_NEAR(1e3 * c->left.rolling_radius, f.left_radius, 0.01) << "y " << f.y;
    if (f.y < -4) {
      EXPECT_NEAR(1e3 * c->right.wheel_y, f.right_wheel, 0.05) << "y " << f.y;
      EXPECT_NEAR(1e3 * c->right.rolling_radius, f.right_radius, 0.02) << "y " << f.y;
    }
  }
}

TEST(wheelset_contact, near_rigid_table_is_met_within_a_tenth_of_a_millimetre) {
  const WheelsetGeometry g(profile::profile("S1002"), profile::profile("UIC60:1:40"), {});
  constexpr double top = 7.4917;  // of the rail, mm
  int rows = 0;
  for (const ReferenceRow& row : reference_table("rigid_points.csv")) {
    const auto c = g.at(1e-3 * row["y"], row["yaw"], row["roll"]);
    ASSERT_TRUE(c);
    const SideContact& s = row.text("side") == "left" ? c->left : c->right;
    const std::string where =
        row.text("side") + " at " + row.text("y") + ", yaw " + row.text("yaw");
    EXPECT_NEAR(1e3 * s.wheel_y, row["wheel_u"], 0.1) << where;
    EXPECT_NEAR(1e3 * s.rail_y - top, row["rail_u"], 0.1) << where;
    EXPECT_NEAR(1e3 * s.rolling_radius, row["radius"], 0.01) << where;
    EXPECT_NEAR(s.angle, row["angle"], 1e-3) << where;
    ++rows;
  }
  EXPECT_EQ(rows, 42);
}

// Computed apart from this code, from the same profiles.
TEST(wheelset_contact, difference_of_rolling_radii_of_S1002_on_60E1) {
  for (const char* rail : {"60E1:1:40", "60E1:1:20"}) {
    const WheelsetGeometry g(profile::profile("S1002"), profile::profile(rail), {});
    for (const ReferenceRow& row : reference_table("loaded_wheelset.csv")) {
      if (row.text("rail") != rail || row["N"] != 60e3) continue;
      const auto c = g.at(1e-3 * row["y"], 0, 0.0);
      ASSERT_TRUE(c);
      EXPECT_NEAR(1e3 * c->delta_r(), row["delta_r_rigid"], 1e-3) << rail << " at " << row["y"];
    }
  }
}

TEST(wheelset_contact, jumps_of_S1002_are_found_where_they_are) {
  const WheelsetGeometry g(profile::profile("S1002"), profile::profile("60E1:1:40"), {});
  const auto jump = [&](double from, double to) {
    const auto a = g.at(from, 0), b = g.at(to, 0);
    return g.jump(*a, *b, profile::Side::left);
  };
  ASSERT_TRUE(jump(0, 0.001));
  EXPECT_NEAR(*jump(0, 0.001), 0.226e-3, 2e-6);
  ASSERT_TRUE(jump(0.004, 0.0055));
  EXPECT_NEAR(*jump(0.004, 0.0055), 4.992e-3, 2e-6);
  ASSERT_TRUE(jump(0.006, 0.007));
  EXPECT_NEAR(*jump(0.006, 0.007), 6.260e-3, 2e-6);
  EXPECT_FALSE(jump(0.001, 0.0045));  // it moves by 6 mm there, but does not jump
  EXPECT_FALSE(jump(0.007, 0.009));
}

TEST(wheelset_contact, at_a_jump_two_points_touch) {
  const WheelsetGeometry g(profile::profile("S1002"), profile::profile("60E1:1:40"), {});
  const auto before = g.at(0.22608e-3, 0);
  ASSERT_TRUE(before && before->left.second);
  EXPECT_LT(before->left.second_gap, 1e-6);
  EXPECT_GT(std::abs(before->left.second_wheel_y - before->left.wheel_y), 5e-3);
}

TEST(wheelset_contact, what_does_not_fit_is_refused_with_a_reason) {
  const profile::Profile wheel = profile::profile("S1002"), rail = profile::profile("60E1");
  WheelsetPlacement p;
  p.gauge = 1.0;
  EXPECT_THAT(error_of([&] { WheelsetGeometry(wheel, rail, p); }), HasSubstr("does not touch"));
  p = {};
  p.radius = -0.4;
  EXPECT_THAT(error_of([&] { WheelsetGeometry(wheel, rail, p); }), HasSubstr("must be positive"));
  EXPECT_THAT(error_of([&] { WheelsetGeometry(rail, rail, {}); }), HasSubstr("not a wheel"));
  EXPECT_THAT(error_of([&] { WheelsetGeometry(wheel, wheel, {}); }), HasSubstr("not a rail"));
  p = {};
  p.inclination = 0.7;
  EXPECT_THAT(error_of([&] { WheelsetGeometry(wheel, rail, p); }), HasSubstr("inclination"));
  const WheelsetGeometry g(wheel, rail, {});
  EXPECT_FALSE(g.at(0.5, 0));
}

}  // namespace
}  // namespace klingel::contact
