// Subject: kalman/shaping. Claim: the noise it makes has the spectrum's variance and density.
#include "kalman/shaping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "tests/support/error_of.hpp"

namespace klingel::kalman {
namespace {

using track::SpectrumOf;

class of_channel : public testing::TestWithParam<SpectrumOf> {};

TEST_P(of_channel, standard_deviation_is_that_of_the_spectrum) {
  const track::Spectrum s = track::erri_b176(track::TrackQuality::low_disturbance, GetParam());
  const Shaping shaping(s, 30, 1e-3);
  EXPECT_NEAR(shaping.sigma, std::sqrt(track::variance(s, 0, 2000)), 2e-3 * shaping.sigma);
}

TEST_P(of_channel, density_of_steps_is_that_of_the_spectrum) {
  const track::Spectrum s = track::erri_b176(track::TrackQuality::high_disturbance, GetParam());
  const double V = 25, h = 1e-3;
  const Shaping shaping(s, V, h);
  // |e(z)|^2 of x(z) = (z - Phi)^-1 Phi n, e = out x, at some wavelengths, by solving for x
  for (const double wavelength : {4.0, 12.0, 40.0}) {
    const double W = 2 * std::numbers::pi / wavelength, w = V * W;
    const std::complex<double> z = std::polar(1.0, w * h);
    double power = 0;
    for (std::size_t c = 0; c < shaping.states; ++c) {
      std::array<std::complex<double>, 3> x{};
      for (std::size_t i = 0; i < shaping.states; ++i) {
        std::complex<double> right = 0;
        for (std::size_t j = 0; j <= i; ++j)
          right += shaping.Phi[i][j] * (shaping.noise[j][c] + (j < i ? x[j] : 0.0));
        x[i] = right / (z - shaping.Phi[i][i]);
      }
      std::complex<double> e = 0;
      for (std::size_t i = 0; i < shaping.states; ++i) e += shaping.out[i] * x[i];
      power += std::norm(e);
    }
    // one-sided density per rad/s is h |e|^2 / pi; per rad/m it is V times that
    EXPECT_NEAR(power * h / std::numbers::pi * V, s.density(W), 0.01 * s.density(W)) << wavelength;
  }
}

TEST_P(of_channel, what_is_stationary_stays_so) {
  const track::Spectrum s = track::erri_b176(track::TrackQuality::low_disturbance, GetParam());
  const Shaping q(s, 40, 2e-3);
  for (std::size_t i = 0; i < q.states; ++i) {
    // Phi (P + Q) Phi^T = P on the diagonal
    double after = 0, before = 0;
    for (std::size_t c = 0; c < q.states; ++c) {
      before += q.start[i][c] * q.start[i][c];
      for (const auto* root : {&q.start, &q.noise}) {
        double sum = 0;
        for (std::size_t j = 0; j < q.states; ++j) sum += q.Phi[i][j] * (*root)[j][c];
        after += sum * sum;
      }
    }
    EXPECT_NEAR(after, before, 1e-10 * before) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(channels, of_channel,
                         testing::Values(SpectrumOf::lateral, SpectrumOf::vertical,
                                         SpectrumOf::cross_level));

TEST(shaping, a_speed_is_needed) {
  const track::Spectrum s =
      track::erri_b176(track::TrackQuality::low_disturbance, SpectrumOf::lateral);
  EXPECT_THAT(test::error_of([&] { Shaping(s, 0, 1e-3); }), testing::HasSubstr("speed"));
}

}  // namespace
}  // namespace klingel::kalman
