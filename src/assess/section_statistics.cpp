#include "assess/section_statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace klingel::assess {

double percentile(std::span<const double> values, double p) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x(values.begin(), values.end());
  const double rank = p * static_cast<double>(x.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const auto at = [&](std::size_t i) {
    const auto place = x.begin() + static_cast<std::ptrdiff_t>(i);
    std::nth_element(x.begin(), place, x.end());
    return *place;
  };
  const double first = at(low);
  return std::lerp(first, at(std::min(low + 1, x.size() - 1)), rank - static_cast<double>(low));
}

OneDimensional one_dimensional(std::span<const double> values, double k) {
  OneDimensional r;
  r.n = values.size();
  if (r.n == 0) return r;
  const auto n = static_cast<double>(r.n);
  r.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  r.largest = *std::max_element(values.begin(), values.end());
  if (r.n < 2) return r;
  double squares = 0;
  for (const double v : values) squares += (v - r.mean) * (v - r.mean);
  r.deviation = std::sqrt(squares / (n - 1));
  r.estimated = r.mean + k * r.deviation;
  return r;
}

std::optional<TwoDimensional> two_dimensional(std::span<const double> x, std::span<const double> y,
                                              double x0, double probability) {
  const std::size_t count = x.size();
  if (count < 3) return {};
  const auto n = static_cast<double>(count);
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  // a millimetre of cant deficiency is no change
  if (!(xx > n)) return {};
  TwoDimensional r;
  r.b = xy / xx;
  r.a = my - r.b * mx;
  r.scatter = std::sqrt(std::max(0.0, yy - r.b * xy) / (n - 2));
  r.correlation = yy > 0 ? xy / std::sqrt(xx * yy) : 0;
  const double t = student_quantile(probability, n - 2);
  r.estimated = r.a + r.b * x0 + t * r.scatter * std::sqrt(1 + 1 / n + (x0 - mx) * (x0 - mx) / xx);
  return r;
}

double student_quantile(double p, double nu) {
  return boost::math::quantile(boost::math::students_t(nu), p);
}

}  // namespace klingel::assess
