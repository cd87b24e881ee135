#include "wear/wear_map.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::wear {

WearMap::WearMap(double begin, double end, double cell)
    : begin_(begin),
      cell_(cell),
      depth_(static_cast<std::size_t>(std::max(1.0, std::ceil((end - begin) / cell)))) {}

void WearMap::add(double y, double b, double angle, double section) {
  if (!(section > 0)) return;
  // never narrower than a cell
  const double half = std::clamp(b * std::abs(std::cos(angle)), cell_ / 2, widest);
  const auto last = static_cast<double>(depth_.size() - 1);
  // share of the parabola left of v: (2 + 3 v - v^3)/4 with v in half widths
  const auto left_of = [&](double at) {
    const double v = std::clamp((at - y) / half, -1.0, 1.0);
    return (2 + 3 * v - v * v * v) / 4;
  };
  const double from = std::clamp(std::floor((y - half - begin_) / cell_), 0.0, last);
  const double to = std::clamp(std::floor((y + half - begin_) / cell_), 0.0, last);
  double before = 0;
  for (double i = from; i <= to; ++i) {
    const double until = i == to ? 1 : left_of(begin_ + (i + 1) * cell_);
    depth_[static_cast<std::size_t>(i)] += section * (until - before) / cell_;
    before = until;
  }
}

void WearMap::add(const WearMap& other, double share) {
  for (std::size_t i = 0; i < depth_.size(); ++i) depth_[i] += share * other.depth_[i];
}

double WearMap::section() const {
  double sum = 0;
  for (const double d : depth_) sum += d * cell_;
  return sum;
}

double WearMap::deepest(const spline::CubicSpline& z) const {
  double most = 0;
  for (std::size_t i = 0; i < depth_.size(); ++i)
    most = std::max(most, depth_[i] / std::hypot(1, z.derivative(y(i))));
  return most;
}

WearMap WearMap::smoothed(double width) const {
  if (!(width > 0)) return *this;
  WearMap to(*this);
  std::fill(to.depth_.begin(), to.depth_.end(), 0.0);
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(4 * width / cell_));
  const auto n = static_cast<std::ptrdiff_t>(depth_.size());
  // what each cell gives away is one, also at the ends
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const std::ptrdiff_t a = std::max<std::ptrdiff_t>(0, i - reach), b = std::min(n, i + reach + 1);
    double sum = 0;
    const auto weight = [&](std::ptrdiff_t k) {
      const double x = static_cast<double>(k - i) * cell_ / width;
      return std::exp(-x * x / 2);
    };
    for (std::ptrdiff_t k = a; k < b; ++k) sum += weight(k);
    for (std::ptrdiff_t k = a; k < b; ++k)
      to.depth_[static_cast<std::size_t>(k)] +=
          depth_[static_cast<std::size_t>(i)] * weight(k) / sum;
  }
  return to;
}

}  // namespace klingel::wear
