// Subject: spline/cubic_spline. Claims: the active piece is found for any knots and any number,
// also for NaN; mirrored and transformed splines are what they say; broken input is refused.
#include "spline/cubic_spline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/error.hpp"

namespace klingel::spline {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// x^3 - 2x on [-1, 2] cut at 0 and 0.5: one polynomial, so every piece must give the same.
CubicSpline cubic() {
  std::vector<CubicPiece> pieces;
  for (const double u : {-1.0, 0.0, 0.5}) {
    pieces.push_back({1, 3 * u, 3 * u * u - 2, u * u * u - 2 * u, u});
  }
  return {{-1, 0, 0.5, 2}, pieces};
}

// The piece by plain search.
std::size_t slow_index(const CubicSpline& s, double u) {
  std::size_t i = 0;
  while (i + 1 < s.pieces().size() && s.knots()[i + 1] <= u) ++i;
  return i;
}

TEST(cubic_spline, value_and_derivatives_are_those_of_the_polynomial) {
  const CubicSpline s = cubic();
  for (double u = -1; u <= 2; u += 0.01) {
    // a few roundings of numbers below 10
    EXPECT_NEAR(s.value(u), u * u * u - 2 * u, 1e-14);
    EXPECT_NEAR(s.derivative(u), 3 * u * u - 2, 1e-14);
    EXPECT_NEAR(s.second_derivative(u), 6 * u, 1e-14);
  }
  for (const int order : {0, 1, 2}) EXPECT_LT(s.largest_jump(order), 1e-15);
}

TEST(cubic_spline, the_piece_is_found_for_very_uneven_knots) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-9, 2), place(0, 1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> knots = {-3};
    for (int i = 0; i < 40; ++i) knots.push_back(knots.back() + std::pow(10, exponent(random)));
    const CubicSpline s(knots, std::vector<CubicPiece>(40));
    const auto check = [&](double u) { EXPECT_EQ(s.index(u), slow_index(s, u)) << u; };
    for (const double knot : knots) {
      check(knot);
      check(std::nextafter(knot, -1e300));
      check(std::nextafter(knot, 1e300));
    }
    for (int i = 0; i < 200; ++i) check(s.begin() + place(random) * (s.end() - s.begin()));
  }
}

TEST(cubic_spline, outside_and_nan_take_an_end_piece) {
  const CubicSpline s = cubic();
  EXPECT_EQ(s.index(-1e300), 0u);
  EXPECT_EQ(s.index(1e300), 2u);
  EXPECT_EQ(s.index(std::numeric_limits<double>::infinity()), 2u);
  EXPECT_EQ(s.index(std::nan("")), 0u);
  EXPECT_TRUE(std::isnan(s.value(std::nan(""))));
  EXPECT_TRUE(s.contains(-1) && s.contains(2));
  EXPECT_FALSE(s.contains(2.000001) || s.contains(std::nan("")));
}

TEST(cubic_spline, mirrored_is_the_function_of_minus_u) {
  const CubicSpline s = cubic(), m = s.mirrored();
  EXPECT_EQ(m.begin(), -2);
  EXPECT_EQ(m.end(), 1);
  for (double u = -1.99; u < 1; u += 0.013) {
    EXPECT_NEAR(m.value(u), s.value(-u), 1e-14);
    EXPECT_NEAR(m.derivative(u), -s.derivative(-u), 1e-14);
    EXPECT_NEAR(m.second_derivative(u), s.second_derivative(-u), 1e-14);
  }
}

TEST(cubic_spline, transformed_scales_and_shifts_values) {
  const CubicSpline s = cubic(), t = s.transformed(-2, 5);
  for (double u = -1; u < 2; u += 0.017) {
    EXPECT_NEAR(t.value(u), 5 - 2 * s.value(u), 1e-13);
    EXPECT_NEAR(t.derivative(u), -2 * s.derivative(u), 1e-13);
  }
}

TEST(cubic_spline, jumps_are_measured_per_order) {
  const CubicSpline s({0, 1, 2}, {{0, 0, 0, 0, 0}, {0, 3, 2, 1, 1}});
  EXPECT_DOUBLE_EQ(s.largest_jump(0), 1);
  EXPECT_DOUBLE_EQ(s.largest_jump(1), 2);
  EXPECT_DOUBLE_EQ(s.largest_jump(2), 6);
}

TEST(cubic_spline, broken_input_is_refused) {
  const double nan = std::nan("");
  const auto make = [](std::vector<double> knots, std::vector<CubicPiece> pieces) {
    return [knots, pieces] { CubicSpline(knots, pieces); };
  };
  EXPECT_THAT(make({0, 1}, {}), ThrowsMessage<base::Error>(HasSubstr("needs 1 knots, found 2")));
  EXPECT_THAT(make({}, {}), ThrowsMessage<base::Error>(HasSubstr("0 pieces")));
  EXPECT_THAT(make({0, 0}, {{}}), ThrowsMessage<base::Error>(HasSubstr("must ascend")));
  EXPECT_THAT(make({0, nan}, {{}}), ThrowsMessage<base::Error>(HasSubstr("knot 1")));
  EXPECT_THAT(make({0, 1}, {{0, nan, 0, 0, 0}}), ThrowsMessage<base::Error>(HasSubstr("piece 0")));
}

}  // namespace
}  // namespace klingel::spline
