#include "estimate/wave_bands.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace klingel::estimate {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double shortest_wave = 3;

}  // namespace

std::vector<WaveBand> wave_bands(std::span<const double> truth, std::span<const double> estimate,
                                 double ds) {
  const std::size_t n = truth.size();
  const double length = static_cast<double>(n) * ds;
  if (n < 8 || !(ds > 0) || ds > shortest_wave / 3 || estimate.size() != n) return {};
  std::vector<WaveBand> bands;
  for (double from = shortest_wave; 3 * from < length; from *= 2)
    bands.push_back({from, 2 * from, 0, 0});

  double mean_t = 0, mean_e = 0, window_power = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(truth[i]) || !std::isfinite(estimate[i])) return {};
    mean_t += truth[i] / static_cast<double>(n);
    mean_e += (estimate[i] - truth[i]) / static_cast<double>(n);
  }
  std::vector<double> window(n);
  for (std::size_t i = 0; i < n; ++i) {
    window[i] =
        0.5 - 0.5 * std::cos(turn * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
    window_power += window[i] * window[i];
  }
  const double scale = 2 / (static_cast<double>(n) * window_power);
  const auto last = static_cast<std::size_t>(length / shortest_wave);
  for (std::size_t k = 1; k <= last; ++k) {
    const double wave = length / static_cast<double>(k);
    std::complex<double> t = 0, e = 0, turned = 1;
    const std::complex<double> by =
        std::polar(1.0, turn * static_cast<double>(k) / static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i, turned *= by) {
      t += window[i] * (truth[i] - mean_t) * turned;
      e += window[i] * (estimate[i] - truth[i] - mean_e) * turned;
    }
    for (WaveBand& band : bands)
      if (wave >= band.shortest && wave < band.longest)
        band.truth += scale * std::norm(t), band.error += scale * std::norm(e);
  }
  for (WaveBand& band : bands)
    band.truth = std::sqrt(band.truth), band.error = std::sqrt(band.error);
  return bands;
}

}  // namespace klingel::estimate
