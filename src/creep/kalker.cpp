#include "creep/kalker.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace klingel::creep {
namespace {

constexpr int nodes = 19, circle = 9;
using std::numbers::pi;

// Kalker's table: a/b = 0.1, 0.2 ... 1, then b/a = 0.9, 0.8 ... 0.1; each with Poisson 0, 1/4, 1/2.
// clang-format off
constexpr double table[4][nodes][3] = {
    {{2.51, 3.31, 4.85}, {2.59, 3.37, 4.81}, {2.68, 3.44, 4.80}, {2.78, 3.53, 4.82},
     {2.88, 3.62, 4.83}, {2.98, 3.72, 4.91}, {3.09, 3.81, 4.97}, {3.19, 3.91, 5.05},
     {3.29, 4.01, 5.12}, {3.40, 4.12, 5.20},
     {3.51, 4.22, 5.30}, {3.65, 4.36, 5.42}, {3.82, 4.54, 5.58}, {4.06, 4.78, 5.80},
     {4.37, 5.10, 6.11}, {4.84, 5.57, 6.57}, {5.57, 6.34, 7.34}, {6.96, 7.78, 8.82},
     {10.7, 11.7, 12.9}},
    {{2.51, 2.52, 2.53}, {2.59, 2.63, 2.66}, {2.68, 2.75, 2.81}, {2.78, 2.88, 2.98},
     {2.88, 3.01, 3.14}, {2.98, 3.14, 3.31}, {3.09, 3.28, 3.48}, {3.19, 3.41, 3.65},
     {3.29, 3.54, 3.82}, {3.40, 3.67, 3.98},
     {3.51, 3.81, 4.16}, {3.65, 3.99, 4.39}, {3.82, 4.21, 4.67}, {4.06, 4.50, 5.04},
     {4.37, 4.90, 5.56}, {4.84, 5.48, 6.31}, {5.57, 6.40, 7.51}, {6.96, 8.14, 9.79},
     {10.7, 12.8, 16.0}},
    {{0.334, 0.473, 0.731}, {0.483, 0.603, 0.809}, {0.607, 0.715, 0.889}, {0.720, 0.823, 0.977},
     {0.827, 0.929, 1.07}, {0.930, 1.03, 1.18}, {1.03, 1.14, 1.29}, {1.13, 1.25, 1.40},
     {1.23, 1.36, 1.51}, {1.33, 1.47, 1.63},
     {1.44, 1.59, 1.77}, {1.58, 1.75, 1.94}, {1.76, 1.95, 2.18}, {2.01, 2.23, 2.50},
     {2.35, 2.62, 2.96}, {2.88, 3.24, 3.70}, {3.79, 4.32, 5.01}, {5.72, 6.63, 7.89},
     {12.2, 14.6, 18.0}},
    {{6.42, 8.28, 11.7}, {3.46, 4.27, 5.66}, {2.49, 2.96, 3.72}, {2.02, 2.32, 2.77},
     {1.74, 1.93, 2.22}, {1.56, 1.68, 1.86}, {1.43, 1.50, 1.60}, {1.34, 1.37, 1.42},
     {1.27, 1.27, 1.27}, {1.21, 1.19, 1.16},
     {1.16, 1.11, 1.06}, {1.10, 1.04, 0.954}, {1.05, 0.965, 0.852}, {1.01, 0.892, 0.751},
     {0.958, 0.819, 0.650}, {0.912, 0.747, 0.549}, {0.868, 0.674, 0.446}, {0.828, 0.601, 0.341},
     {0.795, 0.526, 0.228}}};
// clang-format on

// Powers of g with which coefficients vary little, taken from the limits g -> 0.
constexpr double powers[2][4] = {{0, 0, -0.5, 1}, {1, 1, 1.5, 0}};

// a/b of a node; its g = min(a/b, b/a) is tenths/10
int tenths(int node) { return node <= circle ? node + 1 : nodes - node; }
double ratio(int node) { return node <= circle ? 0.1 * tenths(node) : 10.0 / tenths(node); }

double at_poisson(const double (&c)[3], double poisson, bool smooth) {
  const double x = 4 * poisson;  // columns at 0, 1, 2
  if (smooth) return c[0] * (x - 1) * (x - 2) / 2 + c[1] * x * (2 - x) + c[2] * x * (x - 1) / 2;
  return x <= 1 ? c[0] + x * (c[1] - c[0]) : c[1] + (x - 1) * (c[2] - c[1]);
}

// Kalker's limits times the powers above, as b/a = g -> 0.
KalkerCoefficients long_limit(double g, double poisson) {
  const double L = std::log(16 / (g * g)), k = 3 - std::log(4.0);
  const double p = L - 2 * poisson, q = (1 - poisson) * L + 2 * poisson,
               r = (1 - poisson) * L - 2 + 4 * poisson;
  return {2 * pi / p * (1 + k / p), 2 * pi / q * (1 + (1 - poisson) * k / q), 2 * pi / (3 * r),
          pi / 4 * (1 - poisson * (L - 2) / r)};
}

// Slope in g at a/b = 0.1 of F = c g^power, so that F goes straight to its limit as a/b = g -> 0.
// There is no simple limit for c23, which is continued with the given power of g.
double wide_slope(int k, double poisson, double F, double c23_power) {
  constexpr double g = 0.1;
  if (k == 2) return F / g * (c23_power - 0.5);
  const double limit = k == 0   ? pi * pi / (4 * (1 - poisson))
                       : k == 1 ? pi * pi / 4
                                : pi * pi / (16 * (1 - poisson));
  return (F - limit) / g;
}

double component(const KalkerCoefficients& c, int k) {
  return k == 0 ? c.c11 : k == 1 ? c.c22 : k == 2 ? c.c23 : c.c33;
}

// d ln c/d ln(a/b) at the inner nodes: of the parabola through three neighbours, at most three
// times the smaller chord so that the cubic rises where the table rises (Fritsch and Carlson)
std::array<double, nodes> log_slopes(const std::array<double, nodes>& c) {
  std::array<double, nodes> s{};
  for (int i = 1; i + 1 < nodes; ++i) {
    const double h0 = std::log(ratio(i) / ratio(i - 1)), h1 = std::log(ratio(i + 1) / ratio(i));
    const double d0 = std::log(c[i] / c[i - 1]) / h0, d1 = std::log(c[i + 1] / c[i]) / h1;
    if (d0 * d1 <= 0) continue;
    const double parabola = (h1 * d0 + h0 * d1) / (h0 + h1);
    const double most = 3 * std::min(std::abs(d0), std::abs(d1));
    s[i] = std::clamp(parabola, -most, most);
  }
  return s;
}

}  // namespace

KalkerTable::KalkerTable(double poisson, KalkerInterpolation interpolation)
    : poisson_(poisson), smooth_(interpolation == KalkerInterpolation::smooth) {
  if (!(poisson >= 0 && poisson <= 0.5))
    base::fail("Poisson's ratio is {}, expected between 0 and 0.5", poisson);
  const KalkerCoefficients limit = long_limit(0.1, poisson), before = long_limit(0.0999, poisson),
                           after = long_limit(0.1001, poisson);
  for (int k = 0; k < 4; ++k) {
    std::array<double, nodes> c;
    for (int i = 0; i < nodes; ++i) c[i] = at_poisson(table[k][i], poisson, smooth_);
    const std::array<double, nodes> s = log_slopes(c);
    if (k == 2) wide_power_ = std::log2(c[1] / c[0]);
    thin_scale_[k] = c[nodes - 1] * std::pow(0.1, powers[1][k]) / component(limit, k);

    for (int side = 0; side < 2; ++side) {
      const double power = smooth_ ? powers[side][k] : 0;
      // values and slopes in g of F = c g^power at g = 0.1, 0.2 ... 1
      double F[10], dF[10];
      for (int j = 0; j < 10; ++j) {
        const int node = side == 0 ? j : nodes - 1 - j;
        const double g = 0.1 * (j + 1), sign = side == 0 ? 1 : -1;
        F[j] = c[node] * std::pow(g, power);
        dF[j] = F[j] / g * (sign * s[node] + power);
      }
      // the first slopes are those of the limits below
      dF[0] = side == 0 ? wide_slope(k, poisson, F[0], wide_power_)
                        : thin_scale_[k] * (component(after, k) - component(before, k)) / 2e-4;
      for (int j = 0; j < 9; ++j) {
        const double mean = (F[j + 1] - F[j]) / 0.1, first = smooth_ ? dF[j] : mean,
                     last = smooth_ ? dF[j + 1] : mean;
        auto& p = pieces_[side][j].p;
        p[0][k] = F[j];
        p[1][k] = first;
        p[2][k] = (3 * mean - 2 * first - last) / 0.1;
        p[3][k] = (first + last - 2 * mean) / 0.01;
      }
    }
  }
}

KalkerCoefficients KalkerTable::at(double a, double b) const noexcept {
  const bool along = a > b;
  double g = along ? b / a : a / b;
  if (g < 0.1) {
    if (smooth_) return thin(along, std::max(g, 1e-6));
    g = 0.1;
  }
  const int j = std::min(static_cast<int>(10 * g) - 1, 8);
  // 10 * 0.1 may fall below 1
  const auto& p = pieces_[along][std::max(j, 0)].p;
  const double x = g - 0.1 * (std::max(j, 0) + 1);
  double c[4];
  for (int k = 0; k < 4; ++k) c[k] = p[0][k] + x * (p[1][k] + x * (p[2][k] + x * p[3][k]));
  if (!smooth_) return {c[0], c[1], c[2], c[3]};
  const double per_g = along ? a / b : b / a, root = std::sqrt(along ? per_g : g);
  if (along) return {c[0] * per_g, c[1] * per_g, c[2] * per_g * root, c[3]};
  return {c[0], c[1], c[2] * root, c[3] * per_g};
}

// as above: the four coefficients of a lane are a row of the table
KalkerCoefficientsOf<base::Pack> KalkerTable::at(const base::Pack& given_a,
                                                 const base::Pack& given_b) const noexcept {
  using base::Pack, base::splat;
  // invalid semi-axes count as a circle
  const base::Mask ellipse = (given_a > Pack{}) & (given_b > Pack{});
  const Pack a = base::select(ellipse, given_a, splat(1)),
             b = base::select(ellipse, given_b, splat(1));
  const base::Mask along = a > b;
  const Pack g = base::select(along, b / a, a / b);
  if (base::bits(g >= splat(0.1)) != 15u) {
    // thin ellipses are outside of the table
    KalkerCoefficientsOf<Pack> c;
    for (std::size_t i = 0; i < base::pack_lanes; ++i) {
      const KalkerCoefficients one = at(a[i], b[i]);
      c.c11[i] = one.c11, c.c22[i] = one.c22, c.c23[i] = one.c23, c.c33[i] = one.c33;
    }
    return c;
  }
  using Indices = int __attribute__((vector_size(16)));
  const Pack place = base::smaller(base::larger(10 * g - 1, Pack{}), splat(8));
  const Indices j = __builtin_convertvector(place, Indices);
  const Pack x = g - 0.1 * (__builtin_convertvector(j, Pack) + 1);
  const unsigned longer = base::bits(along);
  Pack rows[4];
  for (std::size_t i = 0; i < base::pack_lanes; ++i) {
    const auto& p = pieces_[longer >> i & 1][static_cast<std::size_t>(j[i])].p;
    const Pack at = splat(x[i]);
    rows[i] = base::load(p[0]) +
              at * (base::load(p[1]) + at * (base::load(p[2]) + at * base::load(p[3])));
  }
  base::transpose(rows[0], rows[1], rows[2], rows[3]);
  if (!smooth_) return {rows[0], rows[1], rows[2], rows[3]};
  const Pack per_g = base::select(along, a / b, b / a),
             root = base::root(base::select(along, per_g, g));
  return {base::select(along, rows[0] * per_g, rows[0]),
          base::select(along, rows[1] * per_g, rows[1]),
          base::select(along, rows[2] * per_g * root, rows[2] * root),
          base::select(along, rows[3], rows[3] * per_g)};
}

// Beyond the table: towards the limits, from the value at its end.
KalkerCoefficients KalkerTable::thin(bool along, double g) const noexcept {
  const double root = std::sqrt(g);
  if (along) {
    const KalkerCoefficients c = long_limit(g, poisson_);
    return {thin_scale_[0] * c.c11 / g, thin_scale_[1] * c.c22 / g,
            thin_scale_[2] * c.c23 / (g * root), thin_scale_[3] * c.c33};
  }
  const auto& p = pieces_[0][0].p;
  const double x = g - 0.1;
  return {p[0][0] + x * p[1][0], p[0][1] + x * p[1][1],
          p[0][2] * std::sqrt(0.1) * std::pow(10 * g, wide_power_), (p[0][3] + x * p[1][3]) / g};
}

}  // namespace klingel::creep
