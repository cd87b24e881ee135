#include "track/resample.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spline/spline_fit.hpp"

namespace klingel::track {
namespace {

using std::numbers::pi;

constexpr double cutoff = 2.5;  // wavelength of half the height, in distances of the new points
constexpr double zeros = 28;    // of the sinc, to both sides together: how sharp it is

// The filter at a place x, in wavelengths of the cutoff from its middle.
double weight(double x) {
  const double reach = zeros / 4;  // the sinc has a zero each half wavelength
  if (std::abs(x) >= reach) return 0;
  const double angle = 2 * pi * x, sinc = x == 0 ? 1 : std::sin(angle) / angle;
  const double window = 0.42 + 0.5 * std::cos(pi * x / reach) + 0.08 * std::cos(2 * pi * x / reach);
  return sinc * window;
}

}  // namespace

Resampled resample(std::span<const double> s, std::span<const double> values, double distance) {
  const spline::CubicSpline curve =
      spline::interpolate({s.begin(), s.end()}, {values.begin(), values.end()});
  const double begin = s.front(), end = s.back();
  // fine points: a quarter of the new distance, and not coarser than what was measured
  double shortest = distance;
  for (std::size_t i = 1; i < s.size(); ++i) shortest = std::min(shortest, s[i] - s[i - 1]);
  const double fine = distance / std::ceil(std::min(4 * distance / shortest, 64.0) / 4 + 3);
  const double a = curve.value(begin), b = curve.value(end);
  const auto signal = [&](double x) {
    if (x < begin) return 2 * a - curve.value(std::min(2 * begin - x, end));
    if (x > end) return 2 * b - curve.value(std::max(2 * end - x, begin));
    return curve.value(x);
  };
  const double wave = cutoff * distance;
  const int reach = static_cast<int>(std::ceil(zeros / 4 * wave / fine));
  std::vector<double> weights;
  double total = 0;
  for (int i = -reach; i <= reach; ++i) total += weights.emplace_back(weight(i * fine / wave));

  const bool coarser = shortest < distance;
  Resampled result;
  double sum = 0;
  const auto count = static_cast<std::size_t>(std::floor((end - begin) / distance + 1e-9));
  for (std::size_t k = 0; k <= count; ++k) {
    // the last point is the end, so that no metre is lost
    const double x = k == count ? end : begin + distance * static_cast<double>(k);
    double value = signal(x);
    if (coarser) {
      double filtered = 0;
      for (int i = -reach; i <= reach; ++i)
        filtered += weights[static_cast<std::size_t>(i + reach)] * signal(x + i * fine);
      filtered /= total;
      sum += (value - filtered) * (value - filtered);
      value = filtered;
    }
    result.s.push_back(x), result.values.push_back(value);
  }
  result.removed = std::sqrt(sum / static_cast<double>(result.s.size()));
  return result;
}

}  // namespace klingel::track
