// Resampling: long waves stay, short ones go instead of coming back as long ones.
#include "track/resample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace klingel::track {
namespace {

using std::numbers::pi;

struct Signal {
  std::vector<double> s, values;
};

Signal wave(double wavelength, double step = 0.1, double length = 100) {
  Signal x;
  for (double s = 0; s < length + step / 2; s += step) {
    x.s.push_back(s);
    x.values.push_back(std::sin(2 * pi * s / wavelength));
  }
  return x;
}

// away from the ends, where the signal is continued by guessing
double largest(const Resampled& r) {
  double most = 0;
  for (std::size_t i = 0; i < r.s.size(); ++i)
    if (r.s[i] > 15 && r.s[i] < 85) most = std::max(most, std::abs(r.values[i]));
  return most;
}

TEST(resample, long_waves_keep_height_and_place) {
  const Signal x = wave(10);
  const Resampled r = resample(x.s, x.values, 0.5);
  EXPECT_EQ(r.s.size(), 201u);
  for (std::size_t i = 0; i < r.s.size(); ++i) {
    if (r.s[i] < 15 || r.s[i] > 85) continue;
    EXPECT_NEAR(r.values[i], std::sin(2 * pi * r.s[i] / 10), 2e-3) << r.s[i];
  }
  EXPECT_LT(r.removed, 0.01);
}

TEST(resample, short_waves_do_not_come_back_as_long_ones) {
  // every 0.5 m a wave of 0.52 m looks like one of 13 m
  const Signal x = wave(0.52);
  const Resampled r = resample(x.s, x.values, 0.5);
  EXPECT_LT(largest(r), 2e-3);
  EXPECT_NEAR(r.removed, std::sqrt(0.5), 0.08);
  // two distances long: what the new points could just hold
  EXPECT_LT(largest(resample(wave(1).s, wave(1).values, 0.5)), 2e-3);
}

TEST(resample, half_the_height_is_left_of_waves_at_the_cutoff) {
  const Signal x = wave(1.25);
  EXPECT_NEAR(largest(resample(x.s, x.values, 0.5)), 0.5, 0.05);
}

TEST(resample, slopes_pass_and_the_ends_stay) {
  Signal x;
  for (int i = 0; i <= 500; ++i) x.s.push_back(0.1 * i + 3), x.values.push_back(0.01 * i - 2);
  const Resampled r = resample(x.s, x.values, 0.7);
  EXPECT_EQ(r.s.front(), 3);
  EXPECT_EQ(r.s.back(), x.s.back());
  for (std::size_t i = 0; i < r.s.size(); ++i)
    EXPECT_NEAR(r.values[i], 0.1 * (r.s[i] - 3) - 2, 1e-9) << r.s[i];
}

TEST(resample, finer_points_lie_on_the_spline) {
  const Signal x = wave(20, 1);
  const Resampled r = resample(x.s, x.values, 0.25);
  EXPECT_EQ(r.removed, 0);
  EXPECT_NEAR(r.values[22], std::sin(2 * pi * r.s[22] / 20), 1e-3);
}

}  // namespace
}  // namespace klingel::track
