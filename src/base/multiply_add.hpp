// a b + c with one rounding where the processor has such an operation, with two elsewhere. For
// inner loops on packs: compilers must not contract by themselves here, or results would depend on
// them.
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

}  // namespace klingel::base
