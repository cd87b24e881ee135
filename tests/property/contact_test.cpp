// The search of contacts never fails: 200 000 random wheels on straight and bent rails, within
// 12 mm sideways, 30 mrad of yaw and 40 mrad of roll, touching, lifted or overlapping; a few
// of them against brute force.
#include <gtest/gtest.h>

#include "tests/unit/contact/random_poses.hpp"

namespace klingel::contact {
namespace {

using namespace test;

TEST(contact_search_property, no_random_pose_is_without_its_primary_contact) {
  for (const Pair& pair : {metre_gauge_pair(straight_line()), metre_gauge_pair(bent_line()),
                           standard_pair(straight_line()), standard_pair(bent_line())}) {
    const ContactSearch search(pair.wheel, pair.rail);
    klingel::test::Random random(2026);
    int failures = 0, jumps_missed = 0;
    for (int i = 0; i < 50'000; ++i) {
      const RandomPose r = random_pose(pair, search, random);
      const MinimumList list = search.minima(r.pose, r.s_r);
      if (list.empty() || list.front().status != ContactStatus::converged) {
        ++failures;
        continue;
      }
      if (i % 10 != 0) continue;
      // a wheel moved by a micrometre has its smallest gap within that micrometre
      WheelPose moved = r.pose;
      moved.r_Ow.z += 1e-6;
      const MinimumList near = search.minima(moved, r.s_r);
      if (near.empty() || std::abs(near.front().point.gap - list.front().point.gap) > 1.1e-6) {
        ++jumps_missed;
      }
    }
    EXPECT_EQ(failures, 0) << pair.name;
    EXPECT_EQ(jumps_missed, 0) << pair.name;
  }
}

TEST(contact_search_property, smallest_gaps_are_those_of_brute_force) {
  for (const Pair& pair : {metre_gauge_pair(bent_line()), standard_pair(bent_line())}) {
    const ContactSearch search(pair.wheel, pair.rail);
    const BruteForce brute(pair.wheel, pair.rail);
    klingel::test::Random random(1883);
    for (int i = 0; i < 5; ++i) {
      const RandomPose r = random_pose(pair, search, random);
      const MinimumList list = search.minima(r.pose, r.s_r);
      ASSERT_FALSE(list.empty());
      EXPECT_NEAR(list.front().point.gap, brute.smallest_gap(r.pose, r.s_r).gap, 1e-9)
          << pair.name << " pose " << i;
    }
  }
}

}  // namespace
}  // namespace klingel::contact
