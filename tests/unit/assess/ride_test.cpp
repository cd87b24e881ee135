// What a run is judged by, against signals whose answer is known on paper.
#include "record/assessment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "record/ride.hpp"

namespace klingel::record {
namespace {

using std::numbers::pi;
using testing::IsEmpty;
using testing::SizeIs;

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

TEST(assessment, sliding_mean_of_a_ramp_is_the_ramp) {
  std::vector<double> s, v;
  for (int i = 0; i <= 100; ++i) s.push_back(0.13 * i), v.push_back(3 * 0.13 * i + 1);
  const std::vector<double> mean = sliding_mean(s, v, 2);
  ASSERT_THAT(mean, SizeIs(101));
  EXPECT_TRUE(std::isnan(mean[0]));
  EXPECT_TRUE(std::isnan(mean[100]));
  for (int i = 10; i < 90; ++i) EXPECT_NEAR(mean[static_cast<std::size_t>(i)], 3 * s[i] + 1, 1e-9);
}

TEST(assessment, sliding_mean_of_a_peak_spreads_it_over_the_window) {
  // a triangle of area 0.1 in 2 m
  std::vector<double> s, v;
  for (int i = 0; i <= 200; ++i) s.push_back(0.1 * i), v.push_back(i == 100 ? 1 : 0);
  const std::vector<double> mean = sliding_mean(s, v, 2);
  EXPECT_NEAR(mean[100], 0.05, 1e-9);
  EXPECT_NEAR(mean[95], 0.05, 1e-9);
  EXPECT_NEAR(mean[80], 0, 1e-9);
}

TEST(assessment, a_run_shorter_than_the_window_has_no_mean) {
  for (const double m :
       sliding_mean(std::vector<double>{0, 0.5, 1}, std::vector<double>{1, 1, 1}, 2))
    EXPECT_TRUE(std::isnan(m));
  EXPECT_THAT(sliding_mean({}, {}, 2), IsEmpty());
}

TEST(assessment, nadal_of_70_degrees_and_03_is_134) {
  EXPECT_NEAR(nadal_limit(70 * pi / 180, 0.3), 1.3407, 1e-3);
  EXPECT_NEAR(nadal_limit(60 * pi / 180, 0.5), 0.660, 1e-3);
}

// one wheelset over 10 m: Y/Q 0.5 on the left for 4 m, load shifted by a tenth, T-gamma constant
Recording small_run() {
  std::vector<double> t, s, YQ, Q_left, Q_right, T, sum_Y;
  for (int i = 0; i <= 100; ++i) {
    t.push_back(0.01 * i), s.push_back(0.1 * i);
    YQ.push_back(i >= 30 && i <= 70 ? 0.5 : 0);
    Q_left.push_back(i == 50 ? 40e3 : 50e3), Q_right.push_back(i == 50 ? 60e3 : 50e3);
    T.push_back(20), sum_Y.push_back(-7e3);
  }
  return {{{"t", "s", ""},
           {"s", "m", ""},
           {"YQ.axle.left", "1", ""},
           {"Q.axle.left", "N", ""},
           {"Q.axle.right", "N", ""},
           {"Tgamma.axle.left", "N", ""},
           {"sumY.axle", "N", ""}},
          {t, s, YQ, Q_left, Q_right, T, sum_Y},
          {}};
}

TEST(assessment, of_a_small_run) {
  const std::vector<std::string> wheels = {"axle.left", "axle.right"}, wheelsets = {"axle"};
  const Assessment a = assess(small_run(), wheels, wheelsets);
  ASSERT_THAT(a.wheels, SizeIs(2));
  ASSERT_TRUE(a.wheels[0].YQ_2m && a.wheels[0].unloading && a.wheels[0].T_gamma_mean);
  EXPECT_NEAR(a.wheels[0].YQ_2m->value, 0.5, 1e-9);
  EXPECT_NEAR(a.wheels[0].YQ_2m->t, 0.4, 1e-9);
  EXPECT_NEAR(*a.wheels[0].Q0, 50e3, 1e-6);
  EXPECT_NEAR(a.wheels[0].unloading->value, 0.2, 1e-9);
  EXPECT_NEAR(a.wheels[0].unloading->t, 0.5, 1e-9);
  EXPECT_NEAR(*a.wheels[0].T_gamma_mean, 20, 1e-9);
  EXPECT_FALSE(a.wheels[1].YQ_2m);  // not recorded
  ASSERT_TRUE(a.wheelsets[0].sum_Y_2m && a.wheelsets[0].limit);
  EXPECT_NEAR(a.wheelsets[0].sum_Y_2m->value, 7e3, 1e-6);
  EXPECT_NEAR(*a.wheelsets[0].limit, 10e3 + 100e3 / 3, 1e-6);
}

}  // namespace
}  // namespace klingel::record
