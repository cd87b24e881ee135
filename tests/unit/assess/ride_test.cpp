// Ride indices, against signals whose answer is known on paper.
#include "assess/ride.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace klingel::assess {
namespace {

using std::numbers::pi;

std::vector<double> sine(double amplitude, double frequency, double interval, double duration) {
  std::vector<double> a;
  for (double t = 0; t < duration; t += interval)
    a.push_back(amplitude * std::sin(2 * pi * frequency * t));
  return a;
}

TEST(ride, weightings_are_those_worked_out_by_hand) {
  // from the transfer functions in docs/report.md, four digits
  EXPECT_NEAR(comfort_W_d(1), 1.0110, 1e-4);
  EXPECT_NEAR(comfort_W_d(4), 0.5119, 1e-4);
  EXPECT_NEAR(comfort_W_d(10), 0.2017, 1e-4);
  EXPECT_NEAR(comfort_W_b(1), 0.3911, 1e-4);
  EXPECT_NEAR(comfort_W_b(8), 1.0560, 1e-3);
  EXPECT_EQ(comfort_W_d(0), 0);
  EXPECT_EQ(comfort_W_b(0), 0);
  // by hand at 5 Hz: up 1.911 25 + 39.0625, down (1 - 6.925)^2 + (7.815 - 4.6)^2
  EXPECT_NEAR(sperling_vertical(5), 0.588 * std::sqrt(86.8375 / 45.4419), 1e-4);
  EXPECT_NEAR(sperling_lateral(5) / sperling_vertical(5), 0.737 / 0.588, 1e-12);
}

TEST(ride, Sperling_counts_between_half_and_thirty_hertz) {
  EXPECT_EQ(sperling_vertical(0.499), 0);
  EXPECT_GT(sperling_vertical(0.501), 0);
  EXPECT_GT(sperling_lateral(29.9), 0);
  EXPECT_EQ(sperling_lateral(30.1), 0);
  // a curve's slow acceleration is none: 1 m/s2 at 0.1 Hz; what is left leaks at the ends
  const double slow = sperling_Wz(sine(1, 0.1, 0.005, 60), 0.005, sperling_lateral);
  const double felt = sperling_Wz(sine(1, 1, 0.005, 60), 0.005, sperling_lateral);
  EXPECT_LT(slow, 0.5 * felt);
}

TEST(ride, W_b_and_W_d_pass_their_band_and_fall_outside) {
  // at a band's end, far from everything else, a second order of Q 0.707 has fallen to 0.707
  EXPECT_NEAR(comfort_W_d(0.4), 0.707 * std::hypot(1.0, 0.2) / std::hypot(0.96, 0.2 / 0.63), 1e-3);
  // an octave below it falls fourfold, within what the corner still adds
  EXPECT_NEAR(comfort_W_d(0.05) / comfort_W_d(0.1), 0.25, 0.005);
  // one over f above the transition, from 8 to 16 Hz
  EXPECT_NEAR(comfort_W_d(16) / comfort_W_d(8), 0.5, 0.01);
}

TEST(ride, Wz_of_two_sines_adds_weighted_squares) {
  // by hand: amplitudes 0.3 and 0.4 m/s2 at 1.5 and 6 Hz, in cm/s2 and weighted
  std::vector<double> a = sine(0.3, 1.5, 0.005, 20);
  const std::vector<double> b = sine(0.4, 6, 0.005, 20);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  const double expected =
      std::pow(std::hypot(30 * sperling_vertical(1.5), 40 * sperling_vertical(6)), 0.3);
  EXPECT_NEAR(sperling_Wz(a, 0.005, sperling_vertical), expected, 0.01 * expected);
}

TEST(ride, Wz_of_a_sine_is_that_of_its_amplitude) {
  // whole periods; 1 %: the window's ends leak a little
  const std::vector<double> a = sine(0.5, 2, 0.005, 20);
  const double expected = std::pow(50 * sperling_lateral(2), 0.3);  // amplitude in cm/s2
  EXPECT_NEAR(sperling_Wz(a, 0.005, sperling_lateral), expected, 0.01 * expected);
}

TEST(ride, a_weighted_sine_keeps_its_frequency_and_gets_the_weight) {
  const std::vector<double> a = sine(1, 4, 0.005, 20), b = weighted(a, 0.005, comfort_W_d);
  ASSERT_EQ(a.size(), b.size());
  EXPECT_NEAR(rms(b), comfort_W_d(4) / std::numbers::sqrt2, 0.01);
  // half-way, far from the ends, it is the same sine
  EXPECT_NEAR(b[2000 + 12], comfort_W_d(4) * a[2000 + 12], 1e-3);
}

TEST(ride, comfort_of_three_sines_adds_by_squares) {
  const std::vector<double> x = sine(0.1, 1, 0.005, 30), y = sine(0.2, 2, 0.005, 30),
                            z = sine(0.3, 8, 0.005, 30);
  const double expected =
      6 / std::numbers::sqrt2 *
      std::hypot(0.1 * comfort_W_d(1), 0.2 * comfort_W_d(2), 0.3 * comfort_W_b(8));
  // 5 %: the first and the last window have an end
  EXPECT_NEAR(comfort_N_MV({x, y, z}, 0.005), expected, 0.05 * expected);
}

TEST(ride, standing_still_is_comfortable) {
  const std::vector<double> still(1000, 0.3);  // a constant is no vibration
  // rounding of 1e-16 m/s2 becomes 1e-4 by the power of 0.3
  EXPECT_NEAR(sperling_Wz(still, 0.005, sperling_vertical), 0, 1e-3);
  EXPECT_NEAR(comfort_95(still, 0.005, comfort_W_b), 0, 1e-12);
  EXPECT_EQ(sperling_Wz({}, 0.005, sperling_vertical), 0);
}

}  // namespace
}  // namespace klingel::assess
