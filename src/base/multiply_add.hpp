// a b + c and the like with one rounding where the processor has such an operation, with two
// elsewhere. For formulas on packs: compilers must not contract by themselves here, or results
// would depend on them.
#pragma once

#include "base/pack.hpp"

namespace klingel::base {

inline Pack multiply_add(const Pack& a, const Pack& b, const Pack& c) {
#ifdef __FMA__
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

// c - a b
inline Pack subtract_product(const Pack& a, const Pack& b, const Pack& c) {
#ifdef __FMA__
  return _mm256_fnmadd_pd(a, b, c);
#else
  return c - a * b;
#endif
}

// a b + c d and a b - c d
inline Pack sum_of_products(const Pack& a, const Pack& b, const Pack& c, const Pack& d) {
  return multiply_add(a, b, c * d);
}
inline Pack difference_of_products(const Pack& a, const Pack& b, const Pack& c, const Pack& d) {
  return subtract_product(c, d, a * b);
}

}  // namespace klingel::base
