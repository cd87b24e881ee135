#include "contact/hertz_cells.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace klingel::contact {
namespace {

struct Shape {
  double m, n, d;
};

// ratio of curvatures of an ellipse with minor/major axis k [Hertz]. With the modulus
// e^2 = 1 - k^2 it is (K - E) / (E/k^2 - K); both differences are R_D integrals without
// cancellation
double ratio_of(double k) {
  return boost::math::ellint_rd(0.0, k * k, 1.0) / boost::math::ellint_rd(0.0, 1.0, k * k);
}

// The patch of unit size for a ratio of curvatures; above 1 the axes change places.
Shape shape(double ratio) {
  if (ratio > 1) {
    const Shape s = shape(1 / ratio);
    return {s.n, s.m, s.d};
  }
  // log k over log ratio is almost straight: a secant finds k in a few steps
  const double wanted = std::log(ratio);
  double x0 = 0, f0 = -wanted;
  double x1 = 0.63 * wanted;
  for (int i = 0; i < 50 && x1 != x0; ++i) {
    const double f1 = std::log(ratio_of(std::exp(x1))) - wanted;
    if (f1 == f0) break;
    const double x2 = x1 - f1 * (x1 - x0) / (f1 - f0);
    x0 = x1;
    f0 = f1;
    x1 = std::min(x2, 0.0);
  }
  const double k = std::exp(x1), e = std::sqrt((1 - k) * (1 + k));
  const double m = std::cbrt(2 * boost::math::ellint_2(e) / (std::numbers::pi * k * k));
  return {m, m * k, 2 * boost::math::ellint_1(e) / (std::numbers::pi * m)};
}

// d(shape)/d(ratio) by differences of order four; a step of 2e-3 leaves 1e-11
Shape slope(double ratio) {
  const double h = 2e-3 * ratio;
  const Shape a = shape(ratio - 2 * h), b = shape(ratio - h), c = shape(ratio + h),
              d = shape(ratio + 2 * h);
  const auto rate = [h](double fa, double fb, double fc, double fd) {
    return (fa - 8 * fb + 8 * fc - fd) / (12 * h);
  };
  return {rate(a.m, b.m, c.m, d.m), rate(a.n, b.n, c.n, d.n), rate(a.d, b.d, c.d, d.d)};
}

// Cubic on [0, w] with values f and slopes g at the ends.
void hermite(double w, double f0, double g0, double f1, double g1, double (&p)[4]) {
  const double mean = (f1 - f0) / w;
  p[0] = f0;
  p[1] = g0;
  p[2] = (3 * mean - 2 * g0 - g1) / w;
  p[3] = (g0 + g1 - 2 * mean) / (w * w);
}

}  // namespace

std::vector<HertzCell> hertz_cells() {
  constexpr std::uint64_t first =
      std::bit_cast<std::uint64_t>(smallest_hertz_ratio) >> hertz_cell_shift;
  const std::uint64_t count = (std::bit_cast<std::uint64_t>(1.0) >> hertz_cell_shift) - first;
  std::vector<HertzCell> cells(count);
  double left = smallest_hertz_ratio;
  Shape f0 = shape(left), g0 = slope(left);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double right = std::bit_cast<double>((first + i + 1) << hertz_cell_shift);
    const Shape f1 = shape(right), g1 = slope(right);
    hermite(right - left, f0.m, g0.m, f1.m, g1.m, cells[i].m);
    hermite(right - left, f0.n, g0.n, f1.n, g1.n, cells[i].n);
    hermite(right - left, f0.d, g0.d, f1.d, g1.d, cells[i].d);
    left = right;
    f0 = f1;
    g0 = g1;
  }
  return cells;
}

}  // namespace klingel::contact
