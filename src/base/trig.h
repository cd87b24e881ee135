/* Sine and cosine of many angles at once, in plain C, four angles on the lanes of one register
 * where the compiler has vectors (gcc, clang), one by one elsewhere. One source, two uses: the
 * interpreter of atoms includes it, and it is emitted beside generated C. Both therefore give the
 * same bits, on every machine and with every C library (with contraction of a*b+c switched off, as
 * our presets do; a product and a sum in one rounding are written as such).
 *
 * Method: n = x / (pi/2) rounded, r = x - n pi/2 in three pieces of pi/2 with the rounding kept
 * apart, polynomials of degree 13 and 14 on |r| <= pi/4, whose largest errors, 2^-58 of the sine
 * and 2^-64 of the cosine, are the least possible (Remez). The error is below one unit in the last
 * place for |x| <= 1.6e6, 1.1 units at a few multiples of pi/2 (tests/unit/base/trig_test.cpp
 * measures it); beyond, and for infinities and NaN, the C library is called. */
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

/* sum += x y in one rounding. Vectors are not passed by value: how they are, depends on the
 * processor, which compilers warn of */
static inline void klingel_add_product(klingel_lanes* sum, const klingel_lanes* x,
                                       const klingel_lanes* y) {
#if defined(__GNUC__) && defined(__AVX__) && defined(__FMA__)
  *sum = (klingel_lanes)__builtin_ia32_vfmaddpd256(*x, *y, *sum);
#elif defined(__GNUC__)
  for (int i = 0; i < klingel_trig_lanes; ++i) (*sum)[i] = fma((*x)[i], (*y)[i], (*sum)[i]);
#else
  *sum = fma(*x, *y, *sum);
#endif
}
static inline void klingel_add_scaled(klingel_lanes* sum, double factor, const klingel_lanes* x) {
  const klingel_lanes zero = {0}, y = factor - zero;
  klingel_add_product(sum, x, &y);
}

/* c[0] + c[1] z + ... + c[5] z^5 by halves (Estrin), which lets its parts run side by side */
static inline void klingel_quintic(const double* c, const klingel_lanes* z, const klingel_lanes* z2,
                                   klingel_lanes* sum) {
  const klingel_lanes zero = {0}, z4 = *z2 * *z2;
  klingel_lanes middle = zero + c[2], high = zero + c[4];
  *sum = zero + c[0];
  klingel_add_scaled(sum, c[1], z);
  klingel_add_scaled(&middle, c[3], z);
  klingel_add_scaled(&high, c[5], z);
  klingel_add_product(sum, z2, &middle);
  klingel_add_product(sum, &z4, &high);
}

/* sine and cosine of r + r_low, |r| <= pi/4 and r_low below its last place:
 * sin r = r + r z p, cos r = 1 - z/2 + z^2 q, with p and q of z = r^2 */
static inline void klingel_sincos_small(const klingel_lanes* r, const klingel_lanes* r_low,
                                        klingel_lanes* sine, klingel_lanes* cosine) {
  static const double sine_of[6] = {-0x1.5555555555549p-3,  0x1.111111110f8a6p-7,
                                    -0x1.a01a019c1619bp-13, 0x1.71de357b1b981p-19,
                                    -0x1.ae5e689e8e2f6p-26, 0x1.5d93a4420af1cp-33};
  static const double cosine_of[6] = {0x1.555555555554cp-5,  -0x1.6c16c16c1521fp-10,
                                      0x1.a01a019cbf625p-16, -0x1.27e4f812b6020p-22,
                                      0x1.1ee9f152202cbp-29, -0x1.8fb130ae95b3fp-37};
  const klingel_lanes zero = {0}, z = *r * *r, z2 = z * z, rz = *r * z;
  klingel_lanes p, q, small = *r_low, w = zero + 1.0, missed;
  klingel_quintic(sine_of, &z, &z2, &p);
  klingel_quintic(cosine_of, &z, &z2, &q);
  klingel_add_product(&small, &rz, &p);
  *sine = *r + small;
  /* w = 1 - z/2 rounded, with what it misses; r_low changes the cosine by -r_low sin r */
  klingel_add_scaled(&w, -0.5, &z);
  missed = 1.0 - w;
  klingel_add_scaled(&missed, -0.5, &z);
  missed -= *r * *r_low;
  klingel_add_product(&missed, &z2, &q);
  *cosine = w + missed;
}

/* whether all angles are so small that n is zero; what is not a number is not */
static inline int klingel_is_small(const klingel_lanes* x) {
  const double most = 0.78;
#if defined(__GNUC__) && defined(__AVX__)
  return __builtin_ia32_movmskpd256((klingel_lanes)((*x < most) & (*x > -most))) == 15;
#elif defined(__GNUC__)
  int i, small = 1;
  for (i = 0; i < klingel_trig_lanes; ++i) small &= fabs((*x)[i]) < most;
  return small;
#else
  return fabs(*x) < most;
#endif
}

/* as many angles as there are lanes, all within the limit. Small ones, as most angles of vehicles
 * are, take a shorter way to the same bits */
static inline void klingel_sincos_lanes(const double* angle, double* s, double* c) {
  const klingel_lanes zero = {0};
  klingel_lanes x, sine, cosine;
  memcpy(&x, angle, sizeof x);
  if (klingel_is_small(&x)) {
    x += zero; /* no -0, as below */
    klingel_sincos_small(&x, &zero, &sine, &cosine);
    memcpy(s, &sine, sizeof sine);
    memcpy(c, &cosine, sizeof cosine);
    return;
  }
  /* adding 1.5 * 2^52 rounds to an integer and leaves its last bits at the end of the mantissa */
  const double shift = 6755399441055744.0;
  klingel_lanes shifted = zero + shift;
  klingel_add_scaled(&shifted, 0.6366197723675814, &x);
  const klingel_lanes n = shifted - shift;
  klingel_bits quadrant;
  memcpy(&quadrant, &shifted, sizeof quadrant);

  /* r + r_low = x - n pi/2. a and b are exact. So is the error of d: where |a| >= |b| it is
   * (a - d) - b (Dekker's sum), elsewhere a, b and their difference are multiples of 2^-66 that
   * have room in a double */
  klingel_lanes a = x;
  klingel_add_scaled(&a, -0x1.921fb544p+0, &n);
  const klingel_lanes b = n * 0x1.0b4611a6p-34;
  const klingel_lanes d = a - b;
  klingel_lanes rest = (a - d) - b;
  klingel_add_scaled(&rest, -0x1.3198a2e037073p-69, &n);
  const klingel_lanes r = d + rest;
  const klingel_lanes r_low = rest - (r - d);
  klingel_sincos_small(&r, &r_low, &sine, &cosine);

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
