#include "wear/rainflow.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::wear {
namespace {

// First and last value, and where the signal turns.
std::vector<double> turning_points(std::span<const double> values) {
  std::vector<double> points;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    const std::size_t n = points.size();
    if (n > 0 && v == points[n - 1]) continue;
    if (n > 1 && (points[n - 1] - points[n - 2]) * (v - points[n - 1]) > 0)
      points[n - 1] = v;
    else
      points.push_back(v);
  }
  return points;
}

LoadCycle cycle(double a, double b, double count) { return {std::abs(a - b), (a + b) / 2, count}; }

}  // namespace

std::vector<LoadCycle> rainflow(std::span<const double> values) {
  std::vector<LoadCycle> list;
  std::vector<double> open;
  for (const double point : turning_points(values)) {
    open.push_back(point);
    while (open.size() >= 3) {
      const std::size_t n = open.size();
      const double last = std::abs(open[n - 1] - open[n - 2]);
      const double before = std::abs(open[n - 2] - open[n - 3]);
      if (last < before) break;
      if (n == 3) {
        list.push_back(cycle(open[0], open[1], 0.5));
        open.erase(open.begin());
      } else {
        list.push_back(cycle(open[n - 3], open[n - 2], 1));
        open.erase(open.end() - 3, open.end() - 1);
      }
    }
  }
  for (std::size_t i = 1; i < open.size(); ++i) list.push_back(cycle(open[i - 1], open[i], 0.5));
  return list;
}

double equivalent_range(std::span<const LoadCycle> cycles, double exponent) {
  // over the largest, so that powers stay within numbers
  double largest = 0, sum = 0, count = 0;
  for (const LoadCycle& c : cycles) largest = std::max(largest, c.range);
  if (!(largest > 0)) return 0;
  for (const LoadCycle& c : cycles) {
    sum += c.count * std::pow(c.range / largest, exponent);
    count += c.count;
  }
  return largest * std::pow(sum / count, 1 / exponent);
}

LoadSpectrum load_spectrum(std::span<const LoadCycle> cycles, std::size_t classes) {
  LoadSpectrum s;
  for (const LoadCycle& c : cycles) s.largest = std::max(s.largest, c.range);
  s.counts.resize(classes), s.exceedings.resize(classes);
  s.width = s.largest / static_cast<double>(classes);
  for (const LoadCycle& c : cycles) {
    s.cycles += c.count;
    if (!(s.width > 0)) continue;
    const auto i = static_cast<std::size_t>(c.range / s.width);
    s.counts[std::min(i, classes - 1)] += c.count;
  }
  double sum = 0;
  for (std::size_t i = classes; i-- > 0;) s.exceedings[i] = sum += s.counts[i];
  return s;
}

}  // namespace klingel::wear
