// Sine, cosine and square root of four numbers at once. Small angles, as the contact has them, by
// their series; others by the standard library, lane by lane. A lane's
// result does not depend on the other lanes.
#pragma once

#include <cmath>

#include "base/pack.hpp"

namespace klingel::base {

// The lanes of `wide` by the scalar function, the others as they are.
template <class Function>
Pack replaced(unsigned wide, const Pack& x, Pack result, Function f) {
  for (std::size_t lane = 0; lane < pack_lanes; ++lane)
    if ((wide >> lane & 1) != 0) result[lane] = f(x[lane]);
  return result;
}

inline Pack sqrt(const Pack& a) { return root(a); }

// Angles up to this by their series, which is then exact to rounding.
inline constexpr double small_angle = 0.5;

inline Pack sin(const Pack& x) {
  const Pack xx = x * x;
  Pack sum = splat(1);
  for (const double k : {14 * 15., 12 * 13., 10 * 11., 8 * 9., 6 * 7., 4 * 5., 2 * 3.})
    sum = 1 - xx * (1 / k) * sum;
  const unsigned wide = ~bits(magnitude(x) <= splat(small_angle)) & 15u;
  const Pack result = x * sum;
  return wide == 0 ? result : replaced(wide, x, result, [](double a) { return std::sin(a); });
}

inline Pack cos(const Pack& x) {
  const Pack xx = x * x;
  Pack sum = splat(1);
  for (const double k : {13 * 14., 11 * 12., 9 * 10., 7 * 8., 5 * 6., 3 * 4., 1 * 2.})
    sum = 1 - xx * (1 / k) * sum;
  const unsigned wide = ~bits(magnitude(x) <= splat(small_angle)) & 15u;
  return wide == 0 ? sum : replaced(wide, x, sum, [](double a) { return std::cos(a); });
}

}  // namespace klingel::base
