// A natural cubic spline through points, until the general fit takes over.
#pragma once

#include <span>
#include <vector>

#include "wheelrail/cubic_spline.hpp"

namespace klingel::wheelrail {

// Second derivative continuous, zero at the ends. At least two points.
inline CubicSpline interpolate(std::span<const double> u, std::span<const double> f) {
  const std::size_t n = u.size();
  std::vector<double> m(n, 0.0), c(n, 0.0);  // second derivatives; eliminated upper diagonal
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double l = u[i] - u[i - 1], r = u[i + 1] - u[i];
    const double rhs = 6 * ((f[i + 1] - f[i]) / r - (f[i] - f[i - 1]) / l);
    const double pivot = 2 * (l + r) - l * c[i - 1];
    c[i] = r / pivot;
    m[i] = (rhs - l * m[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] -= c[i] * m[i + 1];
  std::vector<CubicPiece> pieces;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = u[i + 1] - u[i];
    pieces.push_back({(m[i + 1] - m[i]) / (6 * h), m[i] / 2,
                      (f[i + 1] - f[i]) / h - h * (2 * m[i] + m[i + 1]) / 6, f[i], u[i]});
  }
  return {std::vector<double>(u.begin(), u.end()), std::move(pieces)};
}

}  // namespace klingel::wheelrail
