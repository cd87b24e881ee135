#include "spline/smooth_curve.hpp"

#include <cmath>
#include <cstddef>

#include "spline/spline_fit.hpp"

namespace klingel::spline {

CurvePoints smooth_curve(const CurvePoints& points, std::span<const double> weights,
                         double distance) {
  const std::size_t n = points.y.size();
  std::vector<double> s = {0};
  for (std::size_t i = 1; i < n; ++i) {
    s.push_back(s.back() +
                std::hypot(points.y[i] - points.y[i - 1], points.z[i] - points.z[i - 1]));
  }
  const auto smoothed = [&](double log_lambda) {
    const double lambda = std::exp(log_lambda);
    const CubicSpline y = smooth(s, points.y, weights, lambda);
    const CubicSpline z = smooth(s, points.z, weights, lambda);
    CurvePoints result;
    for (const double at : s) {
      result.y.push_back(y.value(at));
      result.z.push_back(z.value(at));
    }
    return result;
  };
  const auto mean_square = [&](const CurvePoints& other) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += std::pow(other.y[i] - points.y[i], 2) + std::pow(other.z[i] - points.z[i], 2);
    }
    return sum / static_cast<double>(n);
  };

  // the distance grows with lambda, from nothing to a straight line; lambda has the unit m^3
  double low = std::log(1e-24), high = std::log(1e6);
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (mean_square(smoothed(middle)) < distance * distance ? low : high) = middle;
  }
  return smoothed(low);
}

}  // namespace klingel::spline
