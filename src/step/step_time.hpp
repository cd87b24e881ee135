// The time after a step: a multiple of the step, not a sum of steps, so that a million steps of a
// millisecond end at 1000 s and not a little beside it.
#pragma once

#include <cmath>

namespace klingel::step {

// t + h, rounded once if t is a multiple of h (to a millionth of a step); else plainly added. Where
// a second has a whole number of steps the result is the double nearest to the decimal: 0.07, not
// 0.07000000000000001.
inline double time_after(double t, double h) noexcept {
  const double steps = std::round(t / h);
  if (!(std::abs(t / h - steps) < 1e-6) || std::abs(steps) > 1e15) return t + h;
  const double per_second = std::round(1 / h);
  const bool whole = per_second >= 1 && std::abs(per_second * h - 1) < 1e-12;
  return whole ? (steps + 1) / per_second : (steps + 1) * h;
}

}  // namespace klingel::step
