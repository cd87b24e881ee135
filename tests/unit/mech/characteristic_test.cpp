// Subject: mech/characteristic. Claim: the curve goes through its points, is C1, never turns back,
// goes on straight beyond its ends; slope and integral are those of its value.
#include "mech/characteristic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "sym/tape.hpp"

namespace klingel::mech {
namespace {

using Points = std::vector<std::array<double, 2>>;
const Points bump = {{-0.03, -60e3}, {-0.02, -10e3}, {0, 0},
                     {0.01, 5e3},    {0.02, 5e3},    {0.05, 90e3}};

double at(const Characteristic& c, Expr (Characteristic::*what)(Expr) const, double x) {
  sym::Graph graph;
  return sym::value((c.*what)(graph.number(x)));
}

TEST(characteristic, goes_through_its_points_and_straight_beyond_them) {
  const Characteristic c(bump);
  for (const auto& [x, y] : bump) EXPECT_NEAR(at(c, &Characteristic::value, x), y, 1e-9);
  EXPECT_NEAR(at(c, &Characteristic::value, -0.04), -60e3 - 0.01 * 5e6, 1e-6);
  EXPECT_NEAR(at(c, &Characteristic::value, 0.06), 90e3 + 0.01 * 85e3 / 0.03, 1e-6);
}

TEST(characteristic, never_turns_back) {
  const Characteristic c(bump);
  double last = -1e9;
  for (double x = -0.05; x < 0.07; x += 1e-4) {
    const double y = at(c, &Characteristic::value, x);
    EXPECT_GE(y, last - 1e-9) << x;
    last = y;
  }
  EXPECT_NEAR(at(c, &Characteristic::value, 0.015), 5e3, 1e-9);  // flat where the points are
}

TEST(characteristic, slope_and_integral_belong_to_the_value) {
  const Characteristic c(bump);
  constexpr double d = 1e-6;
  double last = at(c, &Characteristic::slope, -0.05);
  for (double x = -0.04503; x < 0.06; x += 1e-4) {
    const double slope = at(c, &Characteristic::slope, x);
    const double up = at(c, &Characteristic::value, x + d),
                 down = at(c, &Characteristic::value, x - d);
    EXPECT_NEAR(slope, (up - down) / (2 * d), 1e-3 * 5e6) << x;
    EXPECT_NEAR(slope, last, 0.05 * 8e6) << "a jump at " << x;
    last = slope;
    const double more = at(c, &Characteristic::integral, x + d),
                 less = at(c, &Characteristic::integral, x - d);
    EXPECT_NEAR((more - less) / (2 * d), at(c, &Characteristic::value, x), 1) << x;
  }
}

TEST(characteristic, wrong_points_are_errors) {
  EXPECT_THROW(Characteristic(Points{{0, 0}}), base::Error);
  EXPECT_THROW(Characteristic(Points{{0, 0}, {0, 1}}), base::Error);
  EXPECT_THROW(Characteristic(Points{{0, 0}, {1, -1}}).inverse(), base::Error);
  EXPECT_THROW(Characteristic(Points{{0, 0}, {1, 0}}).inverse(), base::Error);
}

TEST(characteristic, inverse_of_a_straight_line) {
  const Characteristic c = Characteristic(Points{{-1, -4}, {1, 4}}).inverse();
  EXPECT_NEAR(at(c, &Characteristic::value, 6), 1.5, 1e-12);
  EXPECT_NEAR(at(c, &Characteristic::slope, 1), 0.25, 1e-12);
}

}  // namespace
}  // namespace klingel::mech
