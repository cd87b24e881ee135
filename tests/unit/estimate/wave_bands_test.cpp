// Subject: estimate/wave_bands. Claim: a wave's power is in its octave, that of the error, too.
#include "estimate/wave_bands.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace klingel::estimate {
namespace {

TEST(wave_bands, waves_are_found_in_their_octaves) {
  constexpr double ds = 0.4, turn = 2 * std::numbers::pi;
  std::vector<double> truth, estimate;
  for (int i = 0; i < 2000; ++i) {
    const double s = ds * i, a = 2e-3 * std::sin(turn * s / 8.5),
                 b = 1e-3 * std::sin(turn * s / 35);
    truth.push_back(5 + a + b);
    estimate.push_back(4 + a + 0.25 * b);  // finds the short one, and a quarter of the long one
  }
  const std::vector<WaveBand> bands = wave_bands(truth, estimate, ds);
  ASSERT_GT(bands.size(), 4u);
  EXPECT_EQ(bands[1].shortest, 6);
  EXPECT_NEAR(bands[1].truth, 2e-3 / std::sqrt(2), 1e-5);
  EXPECT_NEAR(bands[1].error, 0, 1e-6);
  EXPECT_NEAR(bands[3].truth, 1e-3 / std::sqrt(2), 2e-5);
  EXPECT_NEAR(bands[3].error, 0.75e-3 / std::sqrt(2), 2e-5);
  EXPECT_LT(bands[0].truth, 1e-5);
}

TEST(wave_bands, there_are_none_without_truth) {
  const std::vector<double> nothing(100, std::nan("")), zero(100, 0);
  EXPECT_TRUE(wave_bands(nothing, zero, 0.4).empty());
  EXPECT_TRUE(wave_bands(zero, zero, 2).empty());
}

}  // namespace
}  // namespace klingel::estimate
