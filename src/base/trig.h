/* Sine and cosine of many angles at once, in plain C without branches, four angles on the lanes of
 * one register where the compiler has vectors (gcc, clang), one by one elsewhere. One source, two
 * uses: the interpreter of atoms includes it, and it is emitted beside generated C. Both therefore
 * give the same bits, on every machine and with every C library (with contraction of a*b+c switched
 * off, as our presets do).
 *
 * Method: n = x / (pi/2) rounded, r = x - n pi/2 in three exact pieces of pi/2 with the rounding
 * kept apart, Taylor's polynomials of degree 17 and 16 on |r| <= pi/4, whose remainders are below
 * 2e-18. The error is below one unit in the last place for |x| <= 1.6e6
 * (tests/unit/base/trig_test.cpp measures it); beyond, and for infinities and NaN, the C library is
 * called. */
#ifndef KLINGEL_TRIG_H
#define KLINGEL_TRIG_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define KLINGEL_RESTRICT __restrict
#else
#define KLINGEL_RESTRICT restrict
#endif

/* n has at most 20 bits and each piece 33, so that their products are exact */
#define KLINGEL_TRIG_LIMIT 1.6e6

#if defined(__GNUC__)
enum { klingel_trig_lanes = 4 };
typedef double klingel_lanes __attribute__((vector_size(32)));
typedef uint64_t klingel_bits __attribute__((vector_size(32)));
#else
enum { klingel_trig_lanes = 1 };
typedef double klingel_lanes;
typedef uint64_t klingel_bits;
#endif

/* as many angles as there are lanes, all within the limit */
static inline void klingel_sincos_lanes(const double* angle, double* s, double* c) {
  klingel_lanes x;
  memcpy(&x, angle, sizeof x);
  /* adding 1.5 * 2^52 rounds to an integer and leaves its last bits at the end of the mantissa */
  const double shift = 6755399441055744.0;
  const klingel_lanes shifted = x * 0.6366197723675814 + shift;
  const klingel_lanes n = shifted - shift;
  klingel_bits quadrant;
  memcpy(&quadrant, &shifted, sizeof quadrant);

  /* r + r_low = x - n pi/2: the first difference is exact, the error of the second is found
   * (Knuth's sum) */
  const klingel_lanes a = x - n * 0x1.921fb544p+0;
  const klingel_lanes b = n * 0x1.0b4611a6p-34;
  const klingel_lanes d = a - b;
  const klingel_lanes v = d - a;
  const klingel_lanes error = (a - (d - v)) - (b + v);
  const klingel_lanes rest = error - n * 0x1.3198a2e037073p-69;
  const klingel_lanes r = d + rest;
  const klingel_lanes r_low = rest - (r - d);

  /* polynomials in z by halves (Estrin), which lets their parts run side by side */
  const klingel_lanes z = r * r;
  const klingel_lanes z2 = z * z;
  const klingel_lanes z4 = z2 * z2;
  const klingel_lanes p = ((-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880))) +
                          z4 * ((-1.0 / 39916800 + z * (1.0 / 6227020800.0)) +
                                z2 * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0)));
  const klingel_lanes sine = r + (r * z * p + r_low);
  const klingel_lanes q =
      ((1.0 / 24 + z * (-1.0 / 720)) + z2 * (1.0 / 40320 + z * (-1.0 / 3628800))) +
      z4 * ((1.0 / 479001600 + z * (-1.0 / 87178291200.0)) + z2 * (1.0 / 20922789888000.0));
  const klingel_lanes half = 0.5 * z;
  const klingel_lanes w = 1.0 - half;
  const klingel_lanes cosine = w + (((1.0 - w) - half) + (z2 * q - r * r_low));

  /* odd quadrants exchange the two; the signs follow (s, c), (c, -s), (-s, -c), (-c, s) */
  klingel_bits s_bits, c_bits;
  memcpy(&s_bits, &sine, sizeof s_bits);
  memcpy(&c_bits, &cosine, sizeof c_bits);
  const klingel_bits exchange = -(quadrant & 1) & (s_bits ^ c_bits);
  s_bits ^= exchange ^ (quadrant & 2) << 62;
  c_bits ^= exchange ^ ((quadrant + 1) & 2) << 62;
  memcpy(s, &s_bits, sizeof s_bits);
  memcpy(c, &c_bits, sizeof c_bits);
}

/* s[i] = sin(x[i]), c[i] = cos(x[i]) for i < n; the arrays do not overlap. */
static inline void klingel_sincos(int n, const double* KLINGEL_RESTRICT x,
                                  double* KLINGEL_RESTRICT s, double* KLINGEL_RESTRICT c) {
  int i = 0, large = 0;
  if (n < klingel_trig_lanes) {
    double angle[klingel_trig_lanes] = {0}, sine[klingel_trig_lanes], cosine[klingel_trig_lanes];
    for (i = 0; i < n; ++i) angle[i] = x[i];
    klingel_sincos_lanes(angle, sine, cosine);
    for (i = 0; i < n; ++i) {
      s[i] = sine[i];
      c[i] = cosine[i];
    }
  }
  for (; i + klingel_trig_lanes <= n; i += klingel_trig_lanes)
    klingel_sincos_lanes(x + i, s + i, c + i);
  /* the last ones together with some that are done already: they come out the same */
  if (i < n) {
    i = n - klingel_trig_lanes;
    klingel_sincos_lanes(x + i, s + i, c + i);
  }
  for (i = 0; i < n; ++i) large |= !(fabs(x[i]) <= KLINGEL_TRIG_LIMIT);
  if (!large) return;
  for (i = 0; i < n; ++i) {
    if (fabs(x[i]) <= KLINGEL_TRIG_LIMIT) continue;
    s[i] = sin(x[i]);
    c[i] = cos(x[i]);
  }
}

static inline double klingel_sin(double x) {
  double s, c;
  klingel_sincos(1, &x, &s, &c);
  return s;
}

static inline double klingel_cos(double x) {
  double s, c;
  klingel_sincos(1, &x, &s, &c);
  return c;
}

#endif
