// The exponential function of four numbers at once, for sums over many points of a profile. The
// relative error is below 1e-14 between -700 and 700; below that range the result is zero. The same
// bits on every machine.
#pragma once

#include "base/pack.hpp"

namespace klingel::base {

inline Pack exponential(Pack x) {
  constexpr double log2_e = 1.4426950408889634, ln2_high = 0x1.62e42fefa38p-1,
                   ln2_low = 0x1.ef35793c7673p-45;
  constexpr double rounding = 0x1.8p52;  // adding it rounds to a whole number in the last bits
  const Mask lost = x < splat(-700);
  x = smaller(larger(x, splat(-700)), splat(700));
  // x = n ln 2 + r, |r| <= ln 2 / 2
  const Pack shifted = x * log2_e + rounding;
  const Pack n = shifted - rounding;
  const Pack r = (x - n * ln2_high) - n * ln2_low;
  // Taylor's series: the next term is below 2e-16
  Pack sum = splat(1.0 / 6227020800);
  for (const double factorial : {479001600.0, 39916800.0, 3628800.0, 362880.0, 40320.0, 5040.0,
                                 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0})
    sum = sum * r + 1 / factorial;
  // 2^n by its exponent
  const Mask exponent = ((Mask)shifted + 1023) << 52;
  return select(lost, Pack{}, sum * (Pack)exponent);
}

}  // namespace klingel::base
