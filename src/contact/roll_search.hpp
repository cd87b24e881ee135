// The roll at which both wheels of a wheelset touch their rails.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace klingel::contact {

inline constexpr double most_roll = 0.15;  // rad

// The root nearest to zero of excess(roll): how much lower the left wheel has to go
// than the right one, in m, or nothing where a wheel does not touch. It grows with roll by about
// `base`, the distance of the contacts. Nothing if there is no root within most_roll.
template <class Excess>
std::optional<double> roll_search(const Excess& excess, double base, double close) {
  std::optional<double> value = excess(0.0);
  if (!value) return std::nullopt;
  if (*value == 0) return 0;

  // enclose the root, then false position (Illinois)
  double a = 0, fa = *value, b = 0, fb = fa;
  for (double step = std::max(1e-7, std::abs(fa) / base); fa * fb > 0;) {
    if (std::abs(b) > most_roll) return std::nullopt;
    a = b;
    fa = fb;
    b += fb > 0 ? -step : step;
    if (!(value = excess(b))) return std::nullopt;
    fb = *value;
    step *= 1.5;
  }
  for (int i = 0; i < 100 && std::abs(b - a) > 1e-15 && fb != 0; ++i) {
    double roll = a + (b - a) * fa / (fa - fb);
    if (i % 8 == 7) roll = (a + b) / 2;
    if (!(value = excess(roll))) return std::nullopt;
    if (*value * fb < 0) {
      a = b;
      fa = fb;
    } else {
      fa /= 2;
    }
    b = roll;
    fb = *value;
    if (std::abs(fb) < close) break;
  }
  return b;
}

}  // namespace klingel::contact
