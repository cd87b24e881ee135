// Subject: starts for Newton's method. Claim: from what a chart of places says, made at some places
// of a wheel that does not yaw, minima at others are found without a search; and what it says of
// flanges that are far is true.
#include "contact/place_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "contact/contact_start.hpp"
#include "tests/unit/contact/upright_pair.hpp"

namespace klingel::contact {
namespace {

using test::UprightPair;

RailView view(const UprightPair& pair, const WheelPose& pose) {
  return {section(pair.rail.line, 1.3), 1.3, pose};
}

TEST(contact_start, is_the_minimum_near_which_it_begins) {
  const UprightPair pair;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> off(-5e-4, 5e-4);
  int found = 0, all = 0;
  for (int i = 0; i < 1000; ++i) {
    const WheelPose pose = pair.pose(random, -0.01 + 2e-5 * i);
    for (const Minimum& m : pair.search.minima(pose, 1.3, {})) {
      if (m.status != ContactStatus::converged) continue;
      ++all;
      ContactStart start;
      if (!find_start(pair.wheel, pair.rail, view(pair, pose), m.point.s.u_w + off(random),
                      m.point.s.u_r + off(random), 4e-3, start))
        continue;
      // near a fold there may be another one
      if (std::abs(start.s.u_w - m.point.s.u_w) > 1e-3) continue;
      ++found;
      EXPECT_NEAR(start.gap, m.point.gap, 1e-6);
      ContactPoint point;
      point.s = start.s;
      ASSERT_EQ(pair.search.refine(pose, point), ContactStatus::converged);
      EXPECT_NEAR(point.s.u_w, m.point.s.u_w, 1e-7);
      EXPECT_NEAR(start.s.theta_w, m.point.s.theta_w, 1e-4);
    }
  }
  EXPECT_GT(all, 1000);
  EXPECT_GT(found, 0.97 * all);
}

TEST(contact_start, is_none_where_the_gap_falls_to_a_side) {
  const UprightPair pair;
  std::mt19937 random(8);
  ContactStart start;
  // a flange far from its rail has no minimum
  for (int i = 0; i < 100; ++i) {
    const WheelPose pose = pair.pose(random, -0.005);
    EXPECT_FALSE(find_start(pair.wheel, pair.rail, view(pair, pose), -0.038, -0.033, 2e-3, start));
  }
}

// Poses with rolls and yaws the chart was not made for; the point a wheel stands on tells the cell.
template <class Visit>
void each_standing(const UprightPair& pair, double most_y, int places, Visit visit) {
  const PlaceChart chart(pair.upright());
  std::mt19937 random(9);
  for (int i = 0; i < places; ++i) {
    const WheelPose pose = pair.pose(random, most_y * (2.0 * i / places - 1));
    const MinimumList list = pair.search.minima(pose, 1.3, pair.tread);
    const Minimum* first = pair.lowest(list);
    if (first == nullptr) continue;
    visit(pose, list, *first, chart.find(first->point.s.u_w, first->point.s.u_r));
  }
}

bool leads_to(const UprightPair& pair, const WheelPose& pose,
              std::span<const PlaceChart::Pair> known, const Minimum& m) {
  return std::any_of(known.begin(), known.end(), [&](const PlaceChart::Pair& p) {
    ContactStart start;
    return find_start(pair.wheel, pair.rail, view(pair, pose), p.u_w, p.u_r, 4e-3, start) &&
           std::abs(start.s.u_w - m.point.s.u_w) < 1e-4;
  });
}

void expect_starts_of_jumps(const UprightPair& pair, double most_y, int places) {
  int others = 0, reached = 0, cells = 0, all = 0;
  each_standing(pair, most_y, places,
                [&](const WheelPose& pose, const MinimumList& list, const Minimum& first,
                    const PlaceChart::Cell* cell) {
                  ++all;
                  if (cell == nullptr) return;
                  ++cells;
                  for (const Minimum& m : list) {
                    if (&m == &first || m.status != ContactStatus::converged ||
                        m.point.gap - first.point.gap > 1e-5)
                      continue;
                    ++others;
                    reached += leads_to(pair, pose, cell->minima(), m) ? 1 : 0;
                  }
                });
  EXPECT_GT(cells, 0.95 * all);
  EXPECT_GT(others, 10);
  // what is missed is searched for
  EXPECT_GT(reached, 0.9 * others) << others;
}

TEST(place_chart, knows_where_treads_jump_to) { expect_starts_of_jumps(UprightPair(), 0.01, 2000); }

TEST(place_chart, knows_minima_that_are_together_only_between_the_places_it_tried) {
  expect_starts_of_jumps(UprightPair(0.46), 0.008, 4000);
}

TEST(place_chart, finds_flanges_and_says_of_none_that_is_near_that_it_is_far) {
  const UprightPair pair;
  int near = 0, reached = 0, far = 0;
  each_standing(pair, 0.012, 3000,
                [&](const WheelPose& pose, const MinimumList&, const Minimum& first,
                    const PlaceChart::Cell* cell) {
                  ASSERT_NE(cell, nullptr);
                  far += cell->flange_gap > 1.2e-3 ? 1 : 0;
                  const MinimumList flanges = pair.search.contacts(pose, 1.3, pair.flange);
                  const Minimum* flange = pair.lowest(flanges);
                  if (flange == nullptr) return;
                  const double gap = flange->point.gap - first.point.gap;
                  EXPECT_LE(cell->flange_gap, gap);
                  if (gap > 1.2e-3) return;
                  ++near;
                  if (cell->has_flange && leads_to(pair, pose, {&cell->flange, 1}, *flange))
                    ++reached;
                });
  EXPECT_GT(near, 100);
  EXPECT_GT(reached, 0.99 * near) << near;
  EXPECT_GT(far, 1000) << "a chart that has no far flange saves nothing";
}

TEST(place_chart, says_nothing_of_places_that_were_not_tried) {
  const UprightPair pair;
  const PlaceChart chart(pair.upright());
  EXPECT_NE(chart.find(0, 0), nullptr);
  EXPECT_EQ(chart.find(0.03, 0), nullptr);
}

}  // namespace
}  // namespace klingel::contact
