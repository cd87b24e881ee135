// The search: closed answers, brute force, branches, ends, and input that makes no sense.
#include "contact/contact_search.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "random_poses.hpp"

namespace klingel::contact {
namespace {

using namespace test;

TEST(contact_search, cylinder_on_an_arc_touches_at_the_top) {
  const WheelSurface wheel{cone(0.46, 0)};
  const RailSurface rail{arc(0.3, 0.1, 0.03), straight_line()};
  const ContactSearch search(wheel, rail);
  const MinimumList list = search.minima(pose_at(rail.line, 1, 0.004, 0.563, 0, 0), 0.5);
  ASSERT_EQ(list.count, 1);
  EXPECT_EQ(list.front().status, ContactStatus::converged);
  EXPECT_NEAR(list.front().point.gap, 0.003, 1e-12);
  EXPECT_NEAR(list.front().point.s.u_w, -0.004, 1e-9);
  EXPECT_NEAR(list.front().point.s.s_r, 1, 1e-9);
}

TEST(contact_search, overlap_is_a_negative_gap) {
  const WheelSurface wheel{cone(0.46, -0.05)};
  const RailSurface rail{arc(0.3, 0.1, 0.03), straight_line()};
  const ContactSearch search(wheel, rail);
  const WheelPose pose = pose_at(rail.line, 0, 0, 0.557, 0, 0);
  const MinimumList list = search.minima(pose, 0);
  ASSERT_EQ(list.count, 1);
  // the cone's line is 3 mm too low at u = 0; along its normal, less what the arc's slope gives
  const double angle = std::atan(0.05);
  EXPECT_NEAR(list.front().point.gap, (0.557 - 0.46 - 0.1 + 0.3) * std::cos(angle) - 0.3, 1e-9);
}

TEST(contact_search, drop_measures_along_the_direction) {
  const WheelSurface wheel{cone(0.46, -0.05)};
  const RailSurface rail{arc(0.3, 0.1, 0.03), straight_line()};
  const ContactSearch search(wheel, rail);
  const WheelPose pose = pose_at(rail.line, 0, 0, 0.567, 0.01, 0);
  const MinimumList list = search.drop(pose, 0, {0, 0, 1});
  ASSERT_GE(list.count, 1);
  const double travel = list.front().distance;
  WheelPose down = pose;
  down.r_Ow.z -= travel;
  const MinimumList touching = search.minima(down, 0);
  ASSERT_GE(touching.count, 1);
  EXPECT_NEAR(touching.front().point.gap, 0, 1e-12);
  EXPECT_NEAR(touching.front().point.s.u_w, list.front().point.s.u_w, 1e-8);
}

TEST(contact_search, both_contacts_of_a_centred_S1002_are_found) {
  const Pair pair = standard_pair(straight_line());
  const ContactSearch search(pair.wheel, pair.rail);
  WheelPose pose = pose_at(pair.rail.line, 0, pair.y, pair.z, 0, 0);
  pose.r_Ow.z -= search.drop(pose, 0, {0, 0, 1}).front().distance;
  const MinimumList list = search.minima(pose, 0);
  ASSERT_GE(list.count, 2);
  EXPECT_NEAR(list.minima[0].point.gap, 0, 1e-12);
  EXPECT_NEAR(list.minima[0].point.s.u_w, 3.23e-3, 5e-5);
  EXPECT_NEAR(list.minima[1].point.s.u_w, -7.38e-3, 5e-5);
  EXPECT_NEAR(list.minima[1].point.gap, 8.5e-6, 5e-7);
}

TEST(contact_search, an_interval_holds_only_its_own_minima) {
  const Pair pair = metre_gauge_pair(straight_line());
  const ContactSearch search(pair.wheel, pair.rail);
  const WheelPose pose = pose_at(pair.rail.line, 0, 0.006, 0.659, 0, 0);
  const MinimumList all = search.minima(pose, 0);
  const MinimumList flange = search.minima(pose, 0, {-0.055, -0.033});
  const MinimumList tread = search.minima(pose, 0, {-0.030, 0.050});
  int on_flange = 0;
  for (const Minimum& m : all) {
    if (m.status == ContactStatus::converged && m.point.s.u_w < -0.033) ++on_flange;
  }
  ASSERT_EQ(on_flange, 1);
  ASSERT_FALSE(flange.empty());
  EXPECT_EQ(flange.front().status, ContactStatus::converged);
  EXPECT_GT(flange.front().point.angle, 1.0);  // 67 degrees
  ASSERT_FALSE(tread.empty());
  EXPECT_EQ(tread.front().status, ContactStatus::converged);
  EXPECT_LT(std::abs(tread.front().point.angle), 0.2);
}

TEST(contact_search, a_wheel_beside_its_rail_ends_with_the_profile) {
  const WheelSurface wheel{cone(0.46, -0.05)};
  const RailSurface rail{arc(0.3, 0.1, 0.03), straight_line()};
  const ContactSearch search(wheel, rail);
  for (const Minimum& m : search.minima(pose_at(rail.line, 0, 0.2, 0.56, 0, 0), 0)) {
    EXPECT_EQ(m.status, ContactStatus::profile_end);
  }
}

TEST(contact_search, smallest_gap_is_that_of_brute_force) {
  for (const Pair& pair : {metre_gauge_pair(straight_line()), metre_gauge_pair(bent_line()),
                           standard_pair(straight_line()), standard_pair(bent_line())}) {
    const ContactSearch search(pair.wheel, pair.rail);
    const BruteForce brute(pair.wheel, pair.rail);
    klingel::test::Random random(3);
    for (int i = 0; i < 2; ++i) {
      const RandomPose r = random_pose(pair, search, random);
      const MinimumList list = search.minima(r.pose, r.s_r + 0.5);
      ASSERT_FALSE(list.empty()) << pair.name;
      const BruteForce::Result expected = brute.smallest_gap(r.pose, r.s_r);
      // golden section of a minimum is good to the root of rounding: 1e-8 m along the wheel
      EXPECT_NEAR(list.front().point.gap, expected.gap, 1e-9)
          << pair.name << ": search at u_w " << list.front().point.s.u_w << ", brute force at "
          << expected.u_w;
    }
  }
}

TEST(contact_search, random_poses_have_a_primary_contact_and_solve_the_equations) {
  for (const Pair& pair : {metre_gauge_pair(straight_line()), metre_gauge_pair(bent_line()),
                           standard_pair(straight_line()), standard_pair(bent_line())}) {
    const ContactSearch search(pair.wheel, pair.rail);
    klingel::test::Random random(11);
    for (int i = 0; i < 3000; ++i) {
      const RandomPose r = random_pose(pair, search, random);
      const MinimumList list = search.minima(r.pose, r.s_r);
      ASSERT_FALSE(list.empty());
      ASSERT_EQ(list.front().status, ContactStatus::converged) << pair.name << " pose " << i;
      double last = -std::numeric_limits<double>::infinity();
      for (const Minimum& m : list) {
        if (m.status != ContactStatus::converged) continue;
        EXPECT_GE(m.distance, last);
        last = m.distance;
        EXPECT_GT(m.point.det, 0);
        const ContactEquations e = contact_equations(pair.wheel, pair.rail, r.pose, m.point.s);
        // a last step of 1e-7 m leaves its square, or 1e-8 m of it where curvatures jump
        EXPECT_LT(std::abs(e.phi_d[0]) + std::abs(e.phi_d[1]), 1e-10);
        EXPECT_LT(std::abs(e.phi_d[2]) + std::abs(e.phi_d[3]), 1e-7);
        EXPECT_NEAR(e.phi_n, m.point.gap, 1e-11);
      }
    }
  }
}

TEST(contact_search, refine_follows_small_motions_to_the_same_point_as_a_search) {
  const Pair pair = standard_pair(bent_line());
  const ContactSearch search(pair.wheel, pair.rail);
  klingel::test::Random random(5);
  int compared = 0;
  for (int i = 0; i < 500; ++i) {
    RandomPose r = random_pose(pair, search, random);
    ContactPoint point = search.minima(r.pose, r.s_r).front().point;
    if (point.det < 5) continue;  // near a fold the point runs farther than its neighbour
    r.pose.r_Ow = r.pose.r_Ow + 0.01 * section(pair.rail.line, r.s_r).axes.x +
                  spline::Vec3{0, random.within(1e-5), random.within(1e-5)};
    ASSERT_EQ(search.refine(r.pose, point), ContactStatus::converged);
    const MinimumList list = search.minima(r.pose, r.s_r);
    double nearest = 1;
    for (const Minimum& m : list) {
      nearest = std::min(nearest, std::abs(m.point.s.u_w - point.s.u_w));
    }
    EXPECT_LT(nearest, 1e-8);
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

TEST(contact_search, refine_leaves_the_point_alone_when_it_fails) {
  const WheelSurface wheel{cone(0.46, -0.05)};
  const RailSurface rail{arc(0.3, 0.1, 0.03), straight_line()};
  const ContactSearch search(wheel, rail);
  ContactPoint point;
  point.s = {1.57, 0.01, 0, 0.01};
  const WheelPose beside = pose_at(rail.line, 0, 0.09, 0.56, 0, 0);
  EXPECT_NE(search.refine(beside, point), ContactStatus::converged);
  EXPECT_EQ(point.s.u_w, 0.01);
}

TEST(contact_search, follow_stays_on_the_tread_when_the_flange_is_nearer) {
  const Pair pair = metre_gauge_pair(straight_line());
  const ContactSearch search(pair.wheel, pair.rail);
  const Interval tread{-0.030, 0.050};
  const auto pose = [&](double y) { return pose_at(pair.rail.line, 0, y, 0.659, 0, 0); };
  ContactPoint point = search.minima(pose(0.003), 0, tread).front().point;
  bool flange_was_nearer = false;
  int ended = 0;
  for (double y = 0.003; y < 0.008; y += 2e-5) {
    const double before = point.s.u_w;
    const FollowStatus status = search.follow(pose(y), tread, point);
    ASSERT_NE(status, FollowStatus::lost) << "y " << y;
    EXPECT_GT(point.s.u_w, tread.low);
    if (status == FollowStatus::followed) {
      EXPECT_LT(std::abs(point.s.u_w - before), 2e-3);
    } else {
      ++ended;
    }
    const MinimumList all = search.minima(pose(y), 0);
    flange_was_nearer |= all.front().point.s.u_w < -0.033;
  }
  EXPECT_TRUE(flange_was_nearer);
  EXPECT_LE(ended, 2);
}

TEST(contact_search, the_fold_of_the_metre_gauge_tread_is_crossed_with_notice) {
  // near u_r 4.9 mm, u_w 5.6 mm the sum of curvatures vanishes: whichever way the wheel moves
  // there, the point is a true minimum or the end of the branch is reported
  const Pair pair = metre_gauge_pair(straight_line());
  const ContactSearch search(pair.wheel, pair.rail);
  const Interval tread{-0.030, 0.050};
  for (const double roll : {-0.02, 0.0, 0.005, 0.01, 0.02}) {
    const auto pose = [&](double y) { return pose_at(pair.rail.line, 0, y, 0.659, 0, roll); };
    ContactPoint point = search.minima(pose(-0.010), 0, tread).front().point;
    for (double y = -0.010; y < 0.006; y += 1e-5) {
      const ContactPoint before = point;
      const FollowStatus status = search.follow(pose(y), tread, point);
      if (status == FollowStatus::lost) {
        // where the root of the flange begins the tread has no minimum any more
        EXPECT_LT(before.s.u_w, -0.029) << "roll " << roll << " y " << y;
        break;
      }
      if (status == FollowStatus::followed) {
        EXPECT_LE(std::abs(point.s.u_w - before.s.u_w), 2e-3);
      }
      const ContactEquations e = contact_equations(pair.wheel, pair.rail, pose(y), point.s);
      for (const double phi : e.phi_d) EXPECT_LT(std::abs(phi), 1e-7);
    }
  }
}

TEST(contact_search, poses_that_are_not_numbers_find_nothing) {
  const Pair pair = metre_gauge_pair(straight_line());
  const ContactSearch search(pair.wheel, pair.rail);
  WheelPose pose = pose_at(pair.rail.line, 0, 0, 0.659, 0, 0);
  ContactPoint point = search.minima(pose, 0).front().point;
  pose.r_Ow.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(search.minima(pose, 0).empty());
  EXPECT_NE(search.refine(pose, point), ContactStatus::converged);
  EXPECT_EQ(search.follow(pose, {}, point), FollowStatus::lost);
  pose.r_Ow.y = 1e300;
  search.minima(pose, 0);  // returns, whatever it says
}

}  // namespace
}  // namespace klingel::contact
