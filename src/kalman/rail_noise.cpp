#include "kalman/rail_noise.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace klingel::kalman {
namespace {

constexpr double turn = 2 * std::numbers::pi;
// What is shorter than the shortest wave, of the variance: without it a band would be predicted
// from its past almost exactly, which no track is.
constexpr double shorter_share = 1e-3;

}  // namespace

RailNoise::RailNoise(const track::Spectrum& spectrum, double shortest, double longest)
    : spacing(shortest / 4), spectrum_(spectrum), first_(turn / longest), last_(turn / shortest) {
  if (!(spectrum.A > 0) || !(spectrum.omega_c > 0))
    base::fail("the spectrum of an irregularity has no density");
  if (!(shortest > 0) || !(longest > shortest) || !std::isfinite(longest))
    base::fail("a band of wavelengths goes from a positive one to a longer one, found {} m to {} m",
               shortest, longest);
  sigma = std::sqrt(track::variance(spectrum, first_, last_));

  // Levinson's recursion
  std::array<double, order + 1> r{};
  for (std::size_t j = 0; j <= order; ++j) r[j] = covariance(j);
  double error = r[0];
  for (std::size_t n = 0; n < order; ++n) {
    double reflection = r[n + 1];
    for (std::size_t j = 0; j < n; ++j) reflection -= a[j] * r[n - j];
    reflection /= error;
    std::array<double, order> before = a;
    for (std::size_t j = 0; j < n; ++j) a[j] = before[j] - reflection * before[n - 1 - j];
    a[n] = reflection;
    error *= 1 - reflection * reflection;
  }
  b = std::sqrt(error);
}

double RailNoise::covariance(std::size_t j) const {
  // the middle of many small intervals: exact enough for some hundred turns of the cosine
  constexpr int intervals = 20'000;
  const double width = (last_ - first_) / intervals;
  double sum = 0;
  for (int i = 0; i < intervals; ++i) {
    const double w = first_ + (i + 0.5) * width, B = (2 + std::cos(w * spacing)) / 3;
    sum += spectrum_.density(w) / (B * B) * std::cos(static_cast<double>(j) * w * spacing);
  }
  return sum * width + (j == 0 ? shorter_share * sigma * sigma : 0);
}

std::array<double, 4> RailNoise::weights(double u) {
  const double v = 1 - u;
  return {v * v * v / 6, 2.0 / 3 - u * u * (2 - u) / 2, 2.0 / 3 - v * v * (2 - v) / 2,
          u * u * u / 6};
}

}  // namespace klingel::kalman
