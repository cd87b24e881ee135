// Four doubles side by side, for formulas that are the same for four contact points or vehicles.
// Formulas written as templates over double and Pack give the same bits in every lane as alone;
// smaller, larger and the like stand for what is a branch on one double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#ifdef __AVX__
#include <immintrin.h>
#endif

namespace klingel::base {

using Pack = double __attribute__((vector_size(32)));
using Mask = long long __attribute__((vector_size(32)));  // -1: yes, 0: no; as comparisons give

inline constexpr std::size_t pack_lanes = 4;

inline Pack splat(double x) { return Pack{x, x, x, x}; }

// From memory that need not be aligned, and back.
inline Pack load(const double* from) {
  Pack p;
  std::memcpy(&p, from, sizeof p);
  return p;
}
inline void store(const Pack& p, double* to) { std::memcpy(to, &p, sizeof p); }

inline Pack select(const Mask& which, const Pack& yes, const Pack& no) { return which ? yes : no; }
inline double select(bool which, double yes, double no) { return which ? yes : no; }

// b < a ? b : a and a < b ? b : a, also of what is not a number.
#ifdef __AVX__
inline Pack smaller(const Pack& a, const Pack& b) { return _mm256_min_pd(b, a); }
inline Pack larger(const Pack& a, const Pack& b) { return _mm256_max_pd(b, a); }
inline Pack magnitude(const Pack& a) { return _mm256_andnot_pd(splat(-0.0), a); }
#else
inline Pack smaller(const Pack& a, const Pack& b) { return b < a ? b : a; }
inline Pack larger(const Pack& a, const Pack& b) { return a < b ? b : a; }
inline Pack magnitude(const Pack& a) { return (Pack)((Mask)a & ~(Mask)splat(-0.0)); }
#endif
inline double smaller(double a, double b) { return std::min(a, b); }
inline double larger(double a, double b) { return std::max(a, b); }
inline double magnitude(double a) { return std::abs(a); }

inline Pack root(const Pack& a) {
#ifdef __AVX__
  return _mm256_sqrt_pd(a);
#else
  return Pack{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
inline double root(double a) { return std::sqrt(a); }

// One bit per lane.
inline unsigned bits(const Mask& m) {
#ifdef __AVX__
  return static_cast<unsigned>(_mm256_movemask_pd((__m256d)m));
#else
  return (m[0] != 0 ? 1u : 0u) | (m[1] != 0 ? 2u : 0u) | (m[2] != 0 ? 4u : 0u) |
         (m[3] != 0 ? 8u : 0u);
#endif
}
inline Mask mask(unsigned bits) {
  constexpr Mask lanes = {1, 2, 4, 8};
  const auto all = static_cast<long long>(bits);
  return (Mask{all, all, all, all} & lanes) == lanes;
}

// Rows become columns.
inline void transpose(Pack& a, Pack& b, Pack& c, Pack& d) {
  const Pack ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
             ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7),
             cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6),
             cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

}  // namespace klingel::base
