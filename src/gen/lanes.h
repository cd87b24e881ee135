/* Values of several lanes: what generated C computes with when one call evaluates several states
 * side by side. A value is KLINGEL_LANES doubles in one vector of gcc or clang; the compiler takes
 * the registers the machine has, and pieces of them where they are shorter. Emitted beside the C
 * that needs it, like klingel_trig.h.
 *
 * Every lane gives the bits of a kernel without lanes: the arithmetic is the same, functions of the
 * C library are called lane by lane, and NaN goes through sign, min and max as in the interpreter.
 */
#ifndef KLINGEL_LANES_H
#define KLINGEL_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef KLINGEL_LANES
#define KLINGEL_LANES 4
#endif

typedef double klingel_vector __attribute__((vector_size(8 * KLINGEL_LANES)));
typedef int64_t klingel_mask __attribute__((vector_size(8 * KLINGEL_LANES)));
/* a value in memory: KLINGEL_LANES consecutive doubles, at any place where doubles may be */
typedef klingel_vector klingel_element __attribute__((aligned(8), may_alias));

/* only pointers leave a file, never values: how machines pass vectors does not matter */
#pragma GCC diagnostic ignored "-Wpsabi"

/* the same number on all lanes; subtracting +0 changes nothing, not even the sign of -0 */
static inline klingel_vector klingel_lanes_all(double x) {
  const klingel_vector zero = {0};
  return x - zero;
}

static inline klingel_vector klingel_lanes_select(klingel_mask m, klingel_vector x,
                                                  klingel_vector y) {
  return (klingel_vector)(((klingel_mask)x & m) | ((klingel_mask)y & ~m));
}

static inline klingel_vector klingel_lanes_abs(klingel_vector x) {
  return (klingel_vector)((klingel_mask)x & INT64_MAX);
}

static inline klingel_vector klingel_lanes_sign(klingel_vector x) {
  const klingel_vector zero = {0};
  const klingel_vector negative = klingel_lanes_select(x < zero, klingel_lanes_all(-1.0), x);
  return klingel_lanes_select(x > zero, klingel_lanes_all(1.0), negative);
}

static inline klingel_vector klingel_lanes_min(klingel_vector x, klingel_vector y) {
  return klingel_lanes_select((x < y) | (x != x), x, y);
}

static inline klingel_vector klingel_lanes_max(klingel_vector x, klingel_vector y) {
  return klingel_lanes_select((x > y) | (x != x), x, y);
}

static inline klingel_vector klingel_lanes_sqrt(klingel_vector x) {
  int i;
#if defined(__AVX__)
  typedef double four __attribute__((vector_size(32)));
  for (i = 0; i < KLINGEL_LANES; i += 4) {
    four part;
    memcpy(&part, (const char*)&x + 8 * i, sizeof part);
    part = __builtin_ia32_sqrtpd256(part);
    memcpy((char*)&x + 8 * i, &part, sizeof part);
  }
#else
  for (i = 0; i < KLINGEL_LANES; ++i) x[i] = sqrt(x[i]);
#endif
  return x;
}

/* x y + z in one rounding */
static inline klingel_vector klingel_lanes_fma(klingel_vector x, klingel_vector y,
                                               klingel_vector z) {
  int i;
#if defined(__AVX__) && defined(__FMA__)
  typedef double four __attribute__((vector_size(32)));
  klingel_vector sum;
  for (i = 0; i < KLINGEL_LANES; i += 4) {
    four a, b, c;
    memcpy(&a, (const char*)&x + 8 * i, sizeof a);
    memcpy(&b, (const char*)&y + 8 * i, sizeof b);
    memcpy(&c, (const char*)&z + 8 * i, sizeof c);
    c = (four)__builtin_ia32_vfmaddpd256(a, b, c);
    memcpy((char*)&sum + 8 * i, &c, sizeof c);
  }
  return sum;
#else
  for (i = 0; i < KLINGEL_LANES; ++i) z[i] = fma(x[i], y[i], z[i]);
  return z;
#endif
}

#ifdef KLINGEL_TRIG_H
/* klingel_trig.h is included before this file by those who need sines */
static inline klingel_vector klingel_lanes_sin(klingel_vector x) {
  klingel_vector s, c;
  klingel_sincos(KLINGEL_LANES, (const double*)&x, (double*)&s, (double*)&c);
  return s;
}

static inline klingel_vector klingel_lanes_cos(klingel_vector x) {
  klingel_vector s, c;
  klingel_sincos(KLINGEL_LANES, (const double*)&x, (double*)&s, (double*)&c);
  return c;
}
#endif

/* functions of the C library, lane by lane */
#define KLINGEL_LANES_UNARY(name)                                       \
  static inline klingel_vector klingel_lanes_##name(klingel_vector x) { \
    for (int i = 0; i < KLINGEL_LANES; ++i) x[i] = name(x[i]);          \
    return x;                                                           \
  }
#define KLINGEL_LANES_BINARY(name)                                                        \
  static inline klingel_vector klingel_lanes_##name(klingel_vector x, klingel_vector y) { \
    for (int i = 0; i < KLINGEL_LANES; ++i) x[i] = name(x[i], y[i]);                      \
    return x;                                                                             \
  }
KLINGEL_LANES_UNARY(tan)
KLINGEL_LANES_UNARY(asin)
KLINGEL_LANES_UNARY(acos)
KLINGEL_LANES_UNARY(exp)
KLINGEL_LANES_UNARY(log)
KLINGEL_LANES_BINARY(pow)
KLINGEL_LANES_BINARY(atan2)
#undef KLINGEL_LANES_UNARY
#undef KLINGEL_LANES_BINARY

#endif
