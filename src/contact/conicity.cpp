#include "contact/conicity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "base/error.hpp"

namespace klingel::contact {
namespace {

// delta_r and its integral from the first y.
class Potential {
 public:
  explicit Potential(const RadiusDifference& f) : f_(f), V_(f.y.size(), 0.0) {
    for (std::size_t i = 1; i < V_.size(); ++i) {
      V_[i] = V_[i - 1] + (f.delta_r[i] + f.delta_r[i - 1]) / 2 * (f.y[i] - f.y[i - 1]);
    }
  }

  std::size_t index(double y) const {
    const auto after = std::upper_bound(f_.y.begin() + 1, f_.y.end() - 1, y);
    return static_cast<std::size_t>(after - f_.y.begin()) - 1;
  }
  double slope(std::size_t i) const {
    return (f_.delta_r[i + 1] - f_.delta_r[i]) / (f_.y[i + 1] - f_.y[i]);
  }
  double value(double y) const {
    const std::size_t i = index(y);
    const double x = y - f_.y[i];
    return V_[i] + (f_.delta_r[i] + slope(i) * x / 2) * x;
  }

 private:
  const RadiusDifference& f_;
  std::vector<double> V_;
};

void check(const RadiusDifference& f, double amplitude, double e, double r0) {
  if (f.y.size() != f.delta_r.size() || f.y.size() < 2) {
    base::fail("delta-r needs at least two values, found {}", f.delta_r.size());
  }
  for (std::size_t i = 0; i < f.y.size(); ++i) {
    if (!std::isfinite(f.y[i] + f.delta_r[i]) || (i > 0 && f.y[i] <= f.y[i - 1])) {
      base::fail("delta-r: value {} is not finite or its y does not ascend", i + 1);
    }
  }
  if (!(e > 0) || !(r0 > 0)) {
    base::fail("base and radius must be positive, found {} mm and {} mm", 1e3 * e, 1e3 * r0);
  }
  if (!(amplitude > 0)) base::fail("an amplitude must be positive, found {} mm", 1e3 * amplitude);
  if (2 * amplitude > f.y.back() - f.y.front()) {
    base::fail("delta-r is known from {:.3g} to {:.3g} mm: too short for an amplitude of {:.3g} mm",
               1e3 * f.y.front(), 1e3 * f.y.back(), 1e3 * amplitude);
  }
}

// The middle of the wave: both turning points have the same potential, which rises through the
// root (the wheelset is brought back); nearest to zero.
std::optional<double> centre_of(const Potential& V, const RadiusDifference& f, double amplitude) {
  const double low = f.y.front() + amplitude, high = f.y.back() - amplitude;
  const auto excess = [&](double c) { return V.value(c + amplitude) - V.value(c - amplitude); };
  std::optional<double> best;
  const auto take = [&best](double c) {
    if (!best || std::abs(c) < std::abs(*best)) best = c;
  };
  // where the middle of an even function lies is known without solving
  if (low <= 0 && high >= 0 && std::abs(excess(0)) <= 1e-15) take(0);
  const int n = std::max(4, static_cast<int>((high - low) / 2e-5));
  double a = low, fa = excess(a);
  for (int i = 1; i <= n; ++i) {
    const double b = low + (high - low) * i / n, fb = excess(b);
    if (fa < 0 && fb >= 0) {
      double x = a, y = b;
      for (int k = 0; k < 80; ++k) {
        const double m = (x + y) / 2;
        (excess(m) < 0 ? x : y) = m;
      }
      take((x + y) / 2);
    }
    a = b;
    fa = fb;
  }
  return best;
}

}  // namespace

Conicity equivalent_conicity(const RadiusDifference& f, double amplitude, double e, double r0) {
  check(f, amplitude, e, r0);
  Conicity result{amplitude, 0, std::numeric_limits<double>::infinity(), 0};
  const Potential V(f);
  const std::optional<double> centre = centre_of(V, f, amplitude);
  if (!centre) return result;
  result.centre = *centre;

  const double low = *centre - amplitude, high = *centre + amplitude;
  const double E = (V.value(low) + V.value(high)) / 2;
  const auto speed2 = [&](double y) { return 2 * (E - V.value(y)) / (e * r0); };

  // length of track from one turning point to the other. On a piece y'' = -k (y - y_0); with the
  // slopes v1, v2 of the wave at its ends its length is 2/sqrt(k) atan(sqrt(k) dy / (v1 + v2))
  double length = 0, a = low;
  while (a < high) {
    const std::size_t i = V.index(a);
    const double b = std::min(high, i + 2 < f.y.size() ? f.y[i + 1] : high);
    // turning points are zeros of the slope; rounding must not make them something else
    const double v1 = a == low ? 0 : std::sqrt(std::max(speed2(a), 0.0));
    const double v2 = b == high ? 0 : std::sqrt(std::max(speed2(b), 0.0));
    // a hill between the turning points, or a plain: the wheelset does not come across
    if (b != high && speed2(b) < -1e-18) return result;
    if (b - a > 1e-12 * amplitude) {
      const double k = V.slope(i) / (e * r0), w = std::sqrt(std::abs(k));
      if (!(v1 + v2 > 0) && !(k > 0)) return result;
      const double z = (b - a) / (v1 + v2);
      if (w * z < 1e-6) {
        length += 2 * z;
      } else if (k > 0) {
        length += 2 / w * std::atan(w * z);
      } else {
        if (w * z >= 1) return result;
        length += 2 / w * std::atanh(w * z);
      }
    }
    a = b;
  }
  result.wavelength = 2 * length;
  const double k = 2 * std::numbers::pi / result.wavelength;
  result.tan_gamma = k * k * e * r0 / 2;
  return result;
}

}  // namespace klingel::contact
