// Filters against the formula of Butterworth's response, and against sines that go through them.
#include "assess/filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace klingel::assess {
namespace {

constexpr double tau = 2 * std::numbers::pi, h = 1e-3;

// of an analogue filter, with frequencies as the bilinear transform maps them
double butterworth(double f, double cut_off, int order) {
  const double ratio = std::tan(tau / 2 * f * h) / std::tan(tau / 2 * cut_off * h);
  return 1 / std::sqrt(1 + std::pow(ratio, 2 * order));
}

// amplitude of a sine after it has gone through, when the beginning is over
double measured(Filter filter, double f) {
  double largest = 0;
  for (int i = 0; i < 20000; ++i) {
    const double y = filter.add(std::sin(tau * f * h * i));
    if (i > 10000) largest = std::max(largest, std::abs(y));
  }
  return largest;
}

TEST(filter, low_pass_has_the_response_of_its_order) {
  for (const int order : {2, 4}) {
    const Filter f = low_pass(20, h, order);
    EXPECT_NEAR(f.magnitude(20, h), std::sqrt(0.5), 1e-12);
    for (const double hz : {0.0, 1.0, 10.0, 30.0, 40.0, 100.0, 300.0})
      EXPECT_NEAR(f.magnitude(hz, h), butterworth(hz, 20, order), 1e-12) << hz;
  }
  // 24 dB in an octave
  EXPECT_LT(low_pass(20, h).magnitude(80, h) / low_pass(20, h).magnitude(40, h), 1 / 15.8);
}

TEST(filter, a_sine_comes_out_as_the_response_says) {
  for (const double hz : {2.0, 6.0, 20.0, 33.0}) {
    EXPECT_NEAR(measured(low_pass(20, h), hz), low_pass(20, h).magnitude(hz, h), 2e-3) << hz;
    EXPECT_NEAR(measured(band_pass(4, 10, h), hz), band_pass(4, 10, h).magnitude(hz, h), 2e-3);
  }
}

TEST(filter, band_pass_has_both_edges_3_dB_lower) {
  const Filter f = band_pass(0.4, 10, h);
  EXPECT_NEAR(f.magnitude(0.4, h), std::sqrt(0.5), 1e-5);
  EXPECT_NEAR(f.magnitude(10, h), std::sqrt(0.5), 1e-5);
  EXPECT_NEAR(f.magnitude(2, h), 1, 1e-3);
  EXPECT_LT(f.magnitude(0.1, h), 0.005);
  EXPECT_NEAR(f.magnitude(0, h), 0, 1e-12);
}

TEST(filter, begins_at_rest) {
  Filter low = low_pass(20, h), band = band_pass(0.4, 4, h);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_NEAR(low.add(54e3), 54e3, 1e-6);
    EXPECT_NEAR(band.add(9.81), 0, 1e-9);
  }
}

TEST(filter, a_single_step_is_not_an_extreme) {
  // 53, 90, 0, 54 kN within four steps
  Filter f = low_pass(20, h);
  double largest = 0, smallest = 1e9;
  for (int i = 0; i < 1000; ++i) {
    const double y = f.add(i == 500 ? 90e3 : i == 501 ? 0 : 54e3);
    largest = std::max(largest, y), smallest = std::min(smallest, y);
  }
  EXPECT_LT(largest, 56e3);
  EXPECT_GT(smallest, 50e3);
}

TEST(filter, forgets_what_is_no_number) {
  Filter f = low_pass(20, h);
  f.add(1);
  EXPECT_TRUE(std::isnan(f.add(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_NEAR(f.add(1), 1, 1e-12);
}

TEST(filter, a_step_too_long_for_it_leaves_the_signal) {
  Filter f = low_pass(20, 0.05);
  EXPECT_EQ(f.add(1), 1);
  EXPECT_EQ(f.add(-3), -3);
}

}  // namespace
}  // namespace klingel::assess
