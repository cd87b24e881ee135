#include "spline/spline_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/error.hpp"

namespace klingel::spline {
namespace {

void check_points(std::span<const double> x, std::span<const double> y, std::size_t least) {
  if (x.size() != y.size()) {
    base::fail("a spline through {} places needs as many values, found {}", x.size(), y.size());
  }
  if (x.size() < least) {
    base::fail("a spline with these ends needs at least {} points, found {}", least, x.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      base::fail("point {} of a spline is ({}, {}): not finite numbers", i, x[i], y[i]);
    }
    if (i > 0 && x[i] <= x[i - 1]) {
      base::fail("points of a spline must ascend: point {} is at {}, after {}", i, x[i], x[i - 1]);
    }
  }
}

std::size_t points_needed(SplineEnd end) {
  return end.kind == SplineEnd::not_a_knot ? 4 : end.kind == SplineEnd::natural ? 3 : 2;
}

// The spline through values y with the second derivatives m at the knots.
CubicSpline from_second_derivatives(std::span<const double> x, std::span<const double> y,
                                    std::span<const double> m) {
  std::vector<CubicPiece> pieces(x.size() - 1);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i];
    pieces[i] = {(m[i + 1] - m[i]) / (6 * h), m[i] / 2,
                 (y[i + 1] - y[i]) / h - h * (2 * m[i] + m[i + 1]) / 6, y[i], x[i]};
  }
  return {std::vector<double>(x.begin(), x.end()), std::move(pieces)};
}

// A x = b for a diagonally dominant matrix of three diagonals; the solution replaces b.
void solve_tridiagonal(std::vector<double>& below, std::vector<double>& on,
                       const std::vector<double>& above, std::vector<double>& b) {
  const std::size_t n = on.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = below[i] / on[i - 1];
    on[i] -= factor * above[i - 1];
    b[i] -= factor * b[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    b[i] = (b[i] - (i + 1 < n ? above[i] * b[i + 1] : 0)) / on[i];
  }
}

// A x = b for a symmetric positive definite matrix of five diagonals (a0 on, a1 and a2 above the
// main one) by L D L'; the solution replaces b.
void solve_pentadiagonal(std::vector<double>& a0, std::vector<double>& a1, std::vector<double>& a2,
                         std::vector<double>& b) {
  const std::size_t n = a0.size();
  // afterwards a0 holds D, a1 and a2 the two diagonals of L
  for (std::size_t i = 0; i < n; ++i) {
    const double d = a0[i], e = a1[i], f = a2[i];
    if (i + 1 < n) {
      a0[i + 1] -= e * e / d;
      a1[i + 1] -= e * f / d;
      b[i + 1] -= e * b[i] / d;
    }
    if (i + 2 < n) {
      a0[i + 2] -= f * f / d;
      b[i + 2] -= f * b[i] / d;
    }
    a1[i] = e / d;
    a2[i] = f / d;
  }
  for (std::size_t i = n; i-- > 0;) {
    b[i] /= a0[i];
    if (i + 1 < n) b[i] -= a1[i] * b[i + 1];
    if (i + 2 < n) b[i] -= a2[i] * b[i + 2];
  }
}

// The largest distance of the spline from f inside a piece.
double distance(const CubicSpline& s, std::size_t piece,
                const std::function<ValueAndSlope(double)>& f) {
  constexpr int samples = 6;
  const double a = s.knots()[piece], h = s.knots()[piece + 1] - a;
  double worst = 0;
  for (int k = 0; k < samples; ++k) {
    const double x = a + h * (k + 0.5) / samples;
    worst = std::max(worst, std::abs(s.pieces()[piece].value(x) - f(x).value));
  }
  return worst;
}

// A jump of the second derivative led over linearly between at - width and at + width. The
// correction's second derivative takes the step out and puts the ramp in:
//
//   W'' = (x + 1)/2 before, (x - 1)/2 after the jump,  x = (u - at) / width
//
// Integrated twice it is constant on one side and zero on the other, where u = 0 lies.
struct RoundedJump {
  double at = 0, size = 0, width = 0;

  ValueAndSlope correction(double u) const {
    const double x = std::clamp((u - at) / width, -1.0, 1.0), y = x < 0 ? x + 1 : x - 1;
    const double W = y * y * y / 12 + (x < 0 ? 0 : 1.0 / 6), zero = at < 0 ? 1.0 / 6 : 0;
    return {size * width * width * (W - zero), size * width * y * y / 4};
  }
};

double jump_of_second_derivative(const std::function<ValueAndSlope(double)>& f, double u) {
  // slopes of profiles change over tenths of millimetres; a ten-thousandth of that is still far
  // above round-off
  constexpr double h = 1e-8;
  return (f(u + 2 * h).slope - f(u + h).slope - f(u - h).slope + f(u - 2 * h).slope) / h;
}

// Halves intervals until the spline through f at the knots is close enough.
CubicSpline follow_smooth(const std::function<ValueAndSlope(double)>& f, std::vector<double> x,
                          double tolerance) {
  constexpr std::size_t most_knots = 10000;
  constexpr double steepest_ratio = 3;
  while (true) {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i]).value;
    CubicSpline s = interpolate(x, y, {SplineEnd::clamped, f(x.front()).slope},
                                {SplineEnd::clamped, f(x.back()).slope});

    // halve intervals that are too coarse, or much longer than a neighbour
    std::vector<double> finer = {x[0]};
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const double h = x[i + 1] - x[i];
      const double left = i > 0 ? x[i] - x[i - 1] : h,
                   right = i + 2 < x.size() ? x[i + 2] - x[i + 1] : h;
      if (distance(s, i, f) > tolerance || h > steepest_ratio * std::min(left, right)) {
        if (h < 1e-7 * (x.back() - x.front())) {
          base::fail("a function jumps near {}: no spline follows it to within {}", x[i],
                     tolerance);
        }
        finer.push_back(x[i] + h / 2);
      }
      finer.push_back(x[i + 1]);
    }
    if (finer.size() == x.size()) return s;
    if (finer.size() > most_knots) {
      base::fail("a spline of a function needs more than {} knots for a tolerance of {}",
                 most_knots, tolerance);
    }
    x = std::move(finer);
  }
}

}  // namespace

CubicSpline interpolate(std::span<const double> x, std::span<const double> y, SplineEnd left,
                        SplineEnd right) {
  check_points(x, y, std::max(points_needed(left), points_needed(right)));
  const std::size_t n = x.size(), last = n - 1;
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };

  // the slope is continuous at inner points: equations for the second derivatives
  std::vector<double> below(n), on(n, 1.0), above(n), m(n);
  for (std::size_t i = 1; i < last; ++i) {
    below[i] = h(i - 1);
    on[i] = 2 * (h(i - 1) + h(i));
    above[i] = h(i);
    m[i] = 6 * (chord(i) - chord(i - 1));
  }

  // a clamped end adds an equation; a natural one leaves m = 0
  if (left.kind == SplineEnd::clamped) {
    on[0] = 2 * h(0);
    above[0] = h(0);
    m[0] = 6 * (chord(0) - left.slope);
  }
  if (right.kind == SplineEnd::clamped) {
    on[last] = 2 * h(last - 1);
    below[last] = h(last - 1);
    m[last] = 6 * (right.slope - chord(last - 1));
  }

  // a not_a_knot end: m[0] = (1 + r) m[1] - r m[2] is put into the equation of point 1
  const double r = n > 2 ? h(0) / h(1) : 0, q = n > 2 ? h(last - 1) / h(last - 2) : 0;
  if (left.kind == SplineEnd::not_a_knot) {
    on[1] += below[1] * (1 + r);
    above[1] -= below[1] * r;
    below[1] = 0;
  }
  if (right.kind == SplineEnd::not_a_knot) {
    on[last - 1] += above[last - 1] * (1 + q);
    below[last - 1] -= above[last - 1] * q;
    above[last - 1] = 0;
  }
  solve_tridiagonal(below, on, above, m);
  if (left.kind == SplineEnd::not_a_knot) m[0] = (1 + r) * m[1] - r * m[2];
  if (right.kind == SplineEnd::not_a_knot) m[last] = (1 + q) * m[last - 1] - q * m[last - 2];
  return from_second_derivatives(x, y, m);
}

CubicSpline smooth(std::span<const double> x, std::span<const double> y,
                   std::span<const double> weights, double lambda) {
  check_points(x, y, 3);
  if (!(lambda >= 0) || !std::isfinite(lambda)) {
    base::fail("lambda of a smoothing spline must be zero or positive, found {}", lambda);
  }
  if (!weights.empty() && weights.size() != x.size()) {
    base::fail("a smoothing spline of {} points has {} weights", x.size(), weights.size());
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0) || !std::isfinite(weights[i])) {
      base::fail("weight {} of a smoothing spline must be positive, found {}", i, weights[i]);
    }
  }

  // 1. with Q' g the differences of chords of g at inner points and m their second derivatives:
  //      R m = Q' g,   g = y - lambda W^-1 Q m
  // 2. together (R + lambda Q' W^-1 Q) m = Q' y, of five diagonals
  const std::size_t n = x.size(), inner = n - 2;
  const auto v = [&](std::size_t i) { return weights.empty() ? 1.0 : 1 / weights[i]; };
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  std::vector<double> a0(inner), a1(inner), a2(inner), m(inner);
  for (std::size_t j = 0; j < inner; ++j) {
    // column j of Q: 1/h_j, -(1/h_j + 1/h_(j+1)), 1/h_(j+1) in rows j, j+1, j+2
    const double p = 1 / h(j), r = 1 / h(j + 1), q = -(p + r);
    a0[j] = (h(j) + h(j + 1)) / 3 + lambda * (v(j) * p * p + v(j + 1) * q * q + v(j + 2) * r * r);
    if (j + 1 < inner) {
      const double s = 1 / h(j + 2);
      a1[j] = h(j + 1) / 6 + lambda * (v(j + 1) * q * r + v(j + 2) * r * -(r + s));
    }
    if (j + 2 < inner) a2[j] = lambda * v(j + 2) * r / h(j + 2);
    m[j] = (y[j + 2] - y[j + 1]) * r - (y[j + 1] - y[j]) * p;
  }
  solve_pentadiagonal(a0, a1, a2, m);

  std::vector<double> g(y.begin(), y.end()), second(n, 0.0);
  for (std::size_t j = 0; j < inner; ++j) {
    second[j + 1] = m[j];
    const double p = 1 / h(j), r = 1 / h(j + 1);
    g[j] -= lambda * v(j) * p * m[j];
    g[j + 1] += lambda * v(j + 1) * (p + r) * m[j];
    g[j + 2] -= lambda * v(j + 2) * r * m[j];
  }
  return from_second_derivatives(x, g, second);
}

CubicSpline follow(const std::function<ValueAndSlope(double)>& f, std::vector<double> breaks,
                   double tolerance, double rounding) {
  if (breaks.size() < 2) base::fail("a spline of a function needs a beginning and an end");
  if (rounding == 0) return follow_smooth(f, std::move(breaks), tolerance);

  std::vector<RoundedJump> jumps;
  std::vector<double> knots = breaks;
  for (std::size_t i = 1; i + 1 < breaks.size(); ++i) {
    RoundedJump jump = {breaks[i], jump_of_second_derivative(f, breaks[i]), 0};
    // rounding = jump width^2 / 6, without reaching the next break
    const double room = std::min(breaks[i] - breaks[i - 1], breaks[i + 1] - breaks[i]);
    jump.width = std::min(0.3 * room, std::sqrt(6 * rounding / std::abs(jump.size)));
    jumps.push_back(jump);
    knots.push_back(jump.at - jump.width);
    knots.push_back(jump.at + jump.width);
  }
  std::sort(knots.begin(), knots.end());
  const auto rounded = [&](double u) {
    ValueAndSlope sum = f(u);
    for (const RoundedJump& jump : jumps) {
      const ValueAndSlope more = jump.correction(u);
      sum.value += more.value;
      sum.slope += more.slope;
    }
    return sum;
  };
  return follow_smooth(rounded, std::move(knots), tolerance);
}

}  // namespace klingel::spline
