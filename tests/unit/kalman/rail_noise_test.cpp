// Subject: kalman/rail_noise. Claim: the rails it makes have the spectrum's variance and density,
// and a spline's weights are those of a spline.
#include "kalman/rail_noise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>

#include "tests/support/error_of.hpp"

namespace klingel::kalman {
namespace {

using track::SpectrumOf;
constexpr double turn = 2 * std::numbers::pi;

track::Spectrum low(SpectrumOf what) {
  return track::erri_b176(track::TrackQuality::low_disturbance, what);
}

class rail_noise_of : public testing::TestWithParam<SpectrumOf> {};

TEST_P(rail_noise_of, density_is_that_of_the_spectrum) {
  const track::Spectrum s = low(GetParam());
  const RailNoise noise(s, 3, 70);
  // of c: b^2 d / (pi |1 - sum of a z^-j|^2), one-sided per rad/m; of e: times B^2
  for (const double wavelength : {4.0, 6.0, 10.0, 20.0}) {
    const double W = turn / wavelength, d = noise.spacing;
    std::complex<double> sum = 1;
    for (std::size_t j = 0; j < RailNoise::order; ++j)
      sum -= noise.a[j] * std::polar(1.0, -W * d * static_cast<double>(j + 1));
    const double B = (2 + std::cos(W * d)) / 3;
    const double density = B * B * noise.b * noise.b * d / std::numbers::pi / std::norm(sum);
    // six coefficients follow the spectrum within 3 dB; steep ends of the band ring a little
    EXPECT_GT(density / s.density(W), 0.5) << wavelength;
    EXPECT_LT(density / s.density(W), 2) << wavelength;
  }
}

TEST_P(rail_noise_of, rails_have_the_deviation_of_the_band) {
  const RailNoise noise(low(GetParam()), 3, 70);
  EXPECT_NEAR(noise.sigma, std::sqrt(track::variance(low(GetParam()), turn / 70, turn / 3)),
              1e-9 * noise.sigma);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> c(RailNoise::order, 0);
  double power = 0;
  constexpr int count = 200'000, before = 1'000;
  for (int i = 0; i < count; ++i) {
    double next = noise.b * normal(random);
    for (std::size_t j = 0; j < RailNoise::order; ++j) next += noise.a[j] * c[c.size() - 1 - j];
    c.push_back(next);
    const auto w = RailNoise::weights(0.3);
    const double* at = &c[c.size() - 4];
    const double e = std::inner_product(w.begin(), w.end(), at, 0.0);
    if (i >= before) power += e * e / (count - before);
  }
  EXPECT_NEAR(std::sqrt(power), noise.sigma, 0.05 * noise.sigma);
}

INSTANTIATE_TEST_SUITE_P(channels, rail_noise_of,
                         testing::Values(SpectrumOf::lateral, SpectrumOf::vertical,
                                         SpectrumOf::cross_level));

TEST(rail_noise, weights_keep_straight_lines_and_their_slopes) {
  for (const double u : {0.0, 0.25, 0.7, 1.0}) {
    const auto w = RailNoise::weights(u);
    EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-15);
    EXPECT_NEAR(-w[0] + w[2] + 2 * w[3], u, 1e-15);
  }
}

TEST(rail_noise, bands_without_waves_are_refused) {
  EXPECT_THAT(test::error_of([] { RailNoise(low(SpectrumOf::lateral), 70, 3); }),
              testing::HasSubstr("70 m to 3 m"));
  EXPECT_THAT(test::error_of([] { RailNoise({}, 3, 70); }), testing::HasSubstr("no density"));
}

}  // namespace
}  // namespace klingel::kalman
