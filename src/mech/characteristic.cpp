#include "mech/characteristic.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::mech {
namespace {

void check(const std::vector<std::array<double, 2>>& points) {
  if (points.size() < 2) base::fail("a curve needs at least two points, found {}", points.size());
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (!(points[i][0] < points[i + 1][0]))
      base::fail("a curve must have ascending first values, found {:g} after {:g}",
                 points[i + 1][0], points[i][0]);
  }
}

// Harmonic means of the neighbours' slopes: zero at a flat interval, never steep enough to
// overshoot.
std::vector<double> slopes_of(const std::vector<std::array<double, 2>>& p) {
  std::vector<double> secant, slope(p.size());
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    secant.push_back((p[i + 1][1] - p[i][1]) / (p[i + 1][0] - p[i][0]));
  slope.front() = secant.front();
  slope.back() = secant.back();
  for (std::size_t i = 1; i + 1 < p.size(); ++i) {
    const double left = p[i][0] - p[i - 1][0], right = p[i + 1][0] - p[i][0];
    const double a = secant[i - 1], b = secant[i];
    if (a * b > 0)
      slope[i] = 3 * (left + right) / ((2 * right + left) / a + (right + 2 * left) / b);
  }
  return slope;
}

// An interval as a cubic c1 u + c2 u^2 + c3 u^3 from its left point.
struct Piece {
  double width, c1, c2, c3;
};

Piece piece(const std::array<double, 2>& left, const std::array<double, 2>& right, double m0,
            double m1) {
  const double h = right[0] - left[0], secant = (right[1] - left[1]) / h;
  return {h, m0, (3 * secant - 2 * m0 - m1) / h, (m0 + m1 - 2 * secant) / (h * h)};
}

// x within the interval, from its left point
Expr within(Expr x, double left, double width) {
  const Expr from = x - left;
  const Expr zero = sym::number_like(x, 0);
  return sym::max(zero, sym::min(from, sym::number_like(x, width)));
}

Expr below(Expr x, double first) { return sym::min(x - first, sym::number_like(x, 0)); }
Expr above(Expr x, double last) { return sym::max(x - last, sym::number_like(x, 0)); }

// 1 where a > b, 0 where a < b
Expr step(Expr a, double b) { return (1 + sym::sign(a - b)) / 2; }

}  // namespace

Characteristic::Characteristic(std::vector<std::array<double, 2>> points)
    : points_(std::move(points)) {
  check(points_);
  slopes_ = slopes_of(points_);
}

Expr Characteristic::value(Expr x) const {
  Expr sum = sym::number_like(x, points_.front()[1]);
  sum += slopes_.front() * below(x, points_.front()[0]);
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    const Piece p = piece(points_[i], points_[i + 1], slopes_[i], slopes_[i + 1]);
    const Expr u = within(x, points_[i][0], p.width);
    const Expr inner = p.c2 + p.c3 * u;
    sum += u * (p.c1 + u * inner);
  }
  return sum + slopes_.back() * above(x, points_.back()[0]);
}

Expr Characteristic::slope(Expr x) const {
  // the ends, and every interval where x is in it
  Expr sum = slopes_.front() * (1 - step(x, points_.front()[0]));
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    const Piece p = piece(points_[i], points_[i + 1], slopes_[i], slopes_[i + 1]);
    const Expr u = within(x, points_[i][0], p.width);
    const Expr entered = step(x, points_[i][0]);
    const Expr inside = entered - step(x, points_[i + 1][0]);
    const Expr inner = 2 * p.c2 + 3 * p.c3 * u;
    sum += inside * (p.c1 + u * inner);
  }
  return sum + slopes_.back() * step(x, points_.back()[0]);
}

Expr Characteristic::integral(Expr x) const {
  const Expr before = below(x, points_.front()[0]);
  Expr sum = before * (points_.front()[1] + slopes_.front() / 2 * before);
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    const Piece p = piece(points_[i], points_[i + 1], slopes_[i], slopes_[i + 1]);
    const Expr u = within(x, points_[i][0], p.width);
    const Expr inner = p.c2 / 3 + p.c3 / 4 * u;
    const Expr middle = p.c1 / 2 + u * inner;
    sum += u * (points_[i][1] + u * middle);
  }
  const Expr behind = above(x, points_.back()[0]);
  return sum + behind * (points_.back()[1] + slopes_.back() / 2 * behind);
}

Characteristic Characteristic::inverse() const {
  std::vector<std::array<double, 2>> swapped;
  for (const std::array<double, 2>& p : points_) swapped.push_back({p[1], p[0]});
  for (std::size_t i = 0; i + 1 < swapped.size(); ++i)
    if (!(swapped[i][0] < swapped[i + 1][0]))
      base::fail("the curve of a damper in series with a spring must rise, found {:g} twice",
                 swapped[i][0]);
  return Characteristic(std::move(swapped));
}

}  // namespace klingel::mech
