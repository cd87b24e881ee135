// Maps made once, of where second points can be: they may be coarse but must not miss one.
#include "contact/flange_reach.hpp"

#include <gtest/gtest.h>

#include "contact/jump_map.hpp"
#include "tests/unit/contact/upright_pair.hpp"

namespace klingel::contact {
namespace {

using test::UprightPair;

TEST(flange_reach, is_near_wherever_a_flange_is_about_to_touch_and_far_in_the_middle) {
  const UprightPair pair;
  const FlangeReach reach(pair.upright());
  std::mt19937 random(5);
  int touching = 0, far = 0;
  for (int i = 0; i < 2000; ++i) {
    const double y = -0.012 + 0.024 * i / 2000;
    const WheelPose pose = pair.pose(random, y);
    const MinimumList on_tread = pair.search.minima(pose, 1.3, pair.tread);
    const MinimumList on_flange = pair.search.minima(pose, 1.3, pair.flange);
    const Minimum* first = pair.lowest(on_tread);
    const Minimum* second = pair.lowest(on_flange);
    if (first == nullptr) continue;
    // a millimetre and less above the rail, the wheel standing on its tread
    const bool about_to_touch = second != nullptr && second->point.gap - first->point.gap < 1e-3;
    touching += about_to_touch ? 1 : 0;
    if (about_to_touch) {
      EXPECT_TRUE(reach.near(first->point.s)) << "y = " << y;
    }
    far += reach.near(first->point.s) ? 0 : 1;
  }
  EXPECT_GT(touching, 50);
  EXPECT_GT(far, 500) << "a map that is near everywhere saves nothing";
}

void expect_all_others_known(const UprightPair& pair, double most_y, int places) {
  const JumpMap map(pair.upright());
  std::mt19937 random(6);
  int others = 0, none = 0;
  for (int i = 0; i < places; ++i) {
    const WheelPose pose = pair.pose(random, most_y * (2.0 * i / places - 1));
    const MinimumList list = pair.search.minima(pose, 1.3, pair.tread);
    const Minimum* first = pair.lowest(list);
    if (first == nullptr) continue;
    const Interval where = map.others(first->point.s.u_w, first->point.s.u_r);
    none += where.low > where.high ? 1 : 0;
    for (const Minimum& m : list) {
      if (&m == first || m.status != ContactStatus::converged ||
          m.point.gap - first->point.gap > 1e-5 ||
          std::abs(m.point.s.u_w - first->point.s.u_w) < 1e-3)
        continue;
      ++others;
      EXPECT_LE(where.low, m.point.s.u_w);
      EXPECT_GE(where.high, m.point.s.u_w);
    }
  }
  EXPECT_GT(others, 10);
  EXPECT_GT(none, places / 4) << "a map that sees minima everywhere saves nothing";
}

TEST(jump_map, tells_where_a_second_minimum_on_the_tread_is) {
  expect_all_others_known(UprightPair(), 0.01, 2000);
}

TEST(jump_map, knows_minima_that_are_together_only_between_the_places_it_tried) {
  expect_all_others_known(UprightPair(0.46), 0.008, 4000);
}

}  // namespace
}  // namespace klingel::contact
