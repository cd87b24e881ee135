// Four numbers side by side with their derivatives by N variables (dual numbers): formulas written
// with them give their own derivatives. A dual with fewer variables has those that come first and
// does not depend on the others, so that what depends on few is cheap:
//
//   (a b)' = a b' + a' b,   f(a)' = f'(a) a'
//
// Where a root is zero its derivative counts as zero.
#pragma once

#include "base/multiply_add.hpp"
#include "base/pack_exp.hpp"
#include "base/pack_functions.hpp"

namespace klingel::base {

// loops of a few operations, which calls would cost more than
#define KLINGEL_INLINE [[gnu::always_inline]] inline

template <int N>
struct Dual {
  static constexpr int size = N;

  Pack v, d[N];

  Dual() = default;  // as a pack: Dual{} is zero, without braces it is not set
  KLINGEL_INLINE Dual(double x) : Dual(splat(x)) {}
  KLINGEL_INLINE Dual(const Pack& x) : v(x) {
    for (int i = 0; i < N; ++i) d[i] = Pack{};
  }
  // The variable itself, or what changes with one variable.
  KLINGEL_INLINE Dual(const Pack& x, int variable, const Pack& rate = splat(1)) : Dual(x) {
    d[variable] = rate;
  }
  template <int K>
  requires(K < N) KLINGEL_INLINE Dual(const Dual<K>& x) : v(x.v) {
    for (int i = 0; i < N; ++i) d[i] = i < K ? x.d[i < K ? i : 0] : Pack{};
  }
};

template <int A, int B>
inline constexpr int wider = A > B ? A : B;

// f(a, b) with derivatives f_a and f_b.
template <int A, int B, class ByA, class ByB, class ByBoth>
KLINGEL_INLINE Dual<wider<A, B>> joined(const Pack& v, const Dual<A>& a, const Dual<B>& b, ByA by_a,
                                        ByB by_b, ByBoth by_both) {
  constexpr int both = A < B ? A : B;
  Dual<wider<A, B>> r;
  r.v = v;
#pragma GCC unroll 16
  for (int i = 0; i < both; ++i) r.d[i] = by_both(a.d[i], b.d[i]);
  if constexpr (A > B) {
#pragma GCC unroll 16
    for (int i = both; i < A; ++i) r.d[i] = by_a(a.d[i]);
  } else if constexpr (B > A) {
#pragma GCC unroll 16
    for (int i = both; i < B; ++i) r.d[i] = by_b(b.d[i]);
  }
  return r;
}

// f(a) with the derivative `slope`.
template <int N>
KLINGEL_INLINE Dual<N> chained(const Pack& v, const Pack& slope, const Dual<N>& a) {
  Dual<N> r;
  r.v = v;
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) r.d[i] = slope * a.d[i];
  return r;
}

template <int A, int B>
KLINGEL_INLINE auto operator+(const Dual<A>& a, const Dual<B>& b) {
  return joined(
      a.v + b.v, a, b, [](const Pack& x) { return x; }, [](const Pack& y) { return y; },
      [](const Pack& x, const Pack& y) { return x + y; });
}
template <int A, int B>
KLINGEL_INLINE auto operator-(const Dual<A>& a, const Dual<B>& b) {
  return joined(
      a.v - b.v, a, b, [](const Pack& x) { return x; }, [](const Pack& y) { return -y; },
      [](const Pack& x, const Pack& y) { return x - y; });
}
template <int A, int B>
KLINGEL_INLINE auto operator*(const Dual<A>& a, const Dual<B>& b) {
  return joined(
      a.v * b.v, a, b, [&](const Pack& x) { return b.v * x; },
      [&](const Pack& y) { return a.v * y; },
      [&](const Pack& x, const Pack& y) { return sum_of_products(a.v, y, b.v, x); });
}
template <int N>
KLINGEL_INLINE Dual<N> operator-(const Dual<N>& a) {
  Dual<N> r;
  r.v = -a.v;
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) r.d[i] = -a.d[i];
  return r;
}

// with numbers that do not change
template <int N>
KLINGEL_INLINE Dual<N> operator+(Dual<N> a, const Pack& b) {
  a.v += b;
  return a;
}
template <int N>
KLINGEL_INLINE Dual<N> operator+(const Pack& b, Dual<N> a) {
  a.v += b;
  return a;
}
template <int N>
KLINGEL_INLINE Dual<N> operator-(Dual<N> a, const Pack& b) {
  a.v -= b;
  return a;
}
template <int N>
KLINGEL_INLINE Dual<N> operator-(const Pack& b, const Dual<N>& a) {
  return b + -a;
}
template <int N>
KLINGEL_INLINE Dual<N> operator*(const Pack& b, const Dual<N>& a) {
  return chained(b * a.v, b, a);
}
template <int N>
KLINGEL_INLINE Dual<N> operator*(const Dual<N>& a, const Pack& b) {
  return b * a;
}
template <int N>
KLINGEL_INLINE Dual<N> operator+(const Dual<N>& a, double b) {
  return a + splat(b);
}
template <int N>
KLINGEL_INLINE Dual<N> operator+(double b, const Dual<N>& a) {
  return a + splat(b);
}
template <int N>
KLINGEL_INLINE Dual<N> operator-(const Dual<N>& a, double b) {
  return a - splat(b);
}
template <int N>
KLINGEL_INLINE Dual<N> operator-(double b, const Dual<N>& a) {
  return splat(b) - a;
}
template <int N>
KLINGEL_INLINE Dual<N> operator*(double b, const Dual<N>& a) {
  return splat(b) * a;
}
template <int N>
KLINGEL_INLINE Dual<N> operator*(const Dual<N>& a, double b) {
  return splat(b) * a;
}

template <int N>
KLINGEL_INLINE Dual<N> reciprocal(const Dual<N>& a) {
  const Pack per = 1 / a.v;
  return chained(per, -per * per, a);
}
template <int A, int B>
KLINGEL_INLINE auto operator/(const Dual<A>& a, const Dual<B>& b) {
  return a * reciprocal(b);
}
template <int N>
KLINGEL_INLINE Dual<N> operator/(double a, const Dual<N>& b) {
  return a * reciprocal(b);
}
template <int N>
KLINGEL_INLINE Dual<N> operator/(const Dual<N>& a, double b) {
  return (1 / b) * a;
}

// a b + c with fewer operations
template <int A, int B, int C>
KLINGEL_INLINE auto multiply_add(const Dual<A>& a, const Dual<B>& b, const Dual<C>& c) {
  constexpr int N = wider<wider<A, B>, C>;
  Dual<N> r;
  r.v = multiply_add(a.v, b.v, c.v);
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) {
    Pack sum = i < C ? c.d[i < C ? i : 0] : Pack{};
    if (i < A)
      sum = i < C || i < B ? multiply_add(a.d[i < A ? i : 0], b.v, sum) : a.d[i < A ? i : 0] * b.v;
    if (i < B) sum = multiply_add(a.v, b.d[i < B ? i : 0], sum);
    r.d[i] = sum;
  }
  return r;
}
// c - a b
template <int A, int B, int C>
KLINGEL_INLINE auto subtract_product(const Dual<A>& a, const Dual<B>& b, const Dual<C>& c) {
  constexpr int N = wider<wider<A, B>, C>;
  Dual<N> r;
  r.v = subtract_product(a.v, b.v, c.v);
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) {
    Pack sum = i < C ? c.d[i < C ? i : 0] : Pack{};
    if (i < A) sum = subtract_product(a.d[i < A ? i : 0], b.v, sum);
    if (i < B) sum = subtract_product(a.v, b.d[i < B ? i : 0], sum);
    r.d[i] = sum;
  }
  return r;
}
// Apart, because other rooms have such functions of any type.
namespace duals {
template <int A, int B, int C, int D>
KLINGEL_INLINE auto sum_of_products(const Dual<A>& a, const Dual<B>& b, const Dual<C>& c,
                                    const Dual<D>& d) {
  return multiply_add(a, b, c * d);
}
template <int A, int B, int C, int D>
KLINGEL_INLINE auto difference_of_products(const Dual<A>& a, const Dual<B>& b, const Dual<C>& c,
                                           const Dual<D>& d) {
  return subtract_product(c, d, a * b);
}
}  // namespace duals

template <int N>
KLINGEL_INLINE Dual<N> root(const Dual<N>& a) {
  const Pack r = root(a.v);
  return chained(r, select(r > Pack{}, 0.5 / r, Pack{}), a);
}
template <int N>
KLINGEL_INLINE Dual<N> sqrt(const Dual<N>& a) {
  return root(a);
}
template <int N>
KLINGEL_INLINE Dual<N> sin(const Dual<N>& a) {
  return chained(sin(a.v), cos(a.v), a);
}
template <int N>
KLINGEL_INLINE Dual<N> cos(const Dual<N>& a) {
  return chained(cos(a.v), -sin(a.v), a);
}
template <int N>
KLINGEL_INLINE Dual<N> exponential(const Dual<N>& a) {
  const Pack e = exponential(a.v);
  return chained(e, e, a);
}
template <int N>
KLINGEL_INLINE Dual<N> arc_tangent(const Dual<N>& a) {
  const Pack& x = a.v;
  return chained(Pack{std::atan(x[0]), std::atan(x[1]), std::atan(x[2]), std::atan(x[3])},
                 1 / (1 + x * x), a);
}

template <int N>
KLINGEL_INLINE Mask operator<(const Dual<N>& a, const Dual<N>& b) {
  return a.v < b.v;
}
template <int N>
KLINGEL_INLINE Dual<N> select(const Mask& which, const Dual<N>& yes, const Dual<N>& no) {
  Dual<N> r;
  r.v = select(which, yes.v, no.v);
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) r.d[i] = select(which, yes.d[i], no.d[i]);
  return r;
}
template <int N>
KLINGEL_INLINE Dual<N> smaller(const Dual<N>& a, const Dual<N>& b) {
  return select(b.v < a.v, b, a);
}
template <int N>
KLINGEL_INLINE Dual<N> larger(const Dual<N>& a, const Dual<N>& b) {
  return select(a.v < b.v, b, a);
}
template <int N>
KLINGEL_INLINE Dual<N> magnitude(const Dual<N>& a) {
  return select(a.v < Pack{}, -a, a);
}

#undef KLINGEL_INLINE

}  // namespace klingel::base
