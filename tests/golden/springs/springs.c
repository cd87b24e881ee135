/* klingel 0.1.0, kernel abi 2, model springs, sha256 8454e415212a98cba974f2c162f846e8159ede169738fa3afc21caf79a86d7fc
 * Made by klingel from symbolic equations: do not edit. */
#include "springs.h"

#include <math.h>
#include <string.h>

#include "klingel_trig.h"

static inline double klingel_sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
static inline double klingel_min(double x, double y) { return x < y || x != x ? x : y; }
static inline double klingel_max(double x, double y) { return x > y || x != x ? x : y; }

/* stage setup: atoms shared by several functions or kept for later stages
 * ops: none */
void springs_stage_setup(void) {
}

/* position, part 1 of 10 */
static void springs_stage_position_0(const double *restrict p, const double *restrict q, double *restrict w) {
  const double angle[1] = {q[0]};
  double sine[1], cosine[1];
  klingel_sincos(1, angle, sine, cosine);
  w[0] = sine[0];
  w[1] = cosine[0];
  const double a0 = q[0]*q[0];
  w[31] = a0;
  const double a1 = fma(p[4], a0, 1.0);
  w[32] = a1;
}

/* position, part 2 of 10 */
static void springs_stage_position_1(const double *restrict p, const double *restrict q, double *restrict w) {
  /* stiffness[1] */
  const double a0 = p[0]*w[32];
  w[33] = a0;
  const double a1 = q[1] - q[0];
  const double a2 = fma(p[4], a1*a1, 1.0);
  /* stiffness[2] */
  const double a3 = p[1]*a2;
  w[2] = a3;
}

/* position, part 3 of 10 */
static void springs_stage_position_2(const double *restrict p, const double *restrict q, double *restrict w) {
  w[3] = w[33] + w[2];
  const double a0 = q[2] - q[1];
  const double a1 = fma(p[4], a0*a0, 1.0);
  w[32] = a1;
}

/* position, part 4 of 10 */
static void springs_stage_position_3(const double *restrict p, const double *restrict q, double *restrict w) {
  /* stiffness[3] */
  const double a0 = p[2]*w[32];
  w[4] = a0;
  w[5] = w[2] + a0;
  const double a1 = fma(p[4], q[2]*q[2], 1.0);
  /* stiffness[4] */
  const double a2 = p[3]*a1;
  w[33] = a2;
}

/* position, part 5 of 10 */
static void springs_stage_position_4(double *restrict w) {
  w[6] = w[4] + w[33];
  const double a0 = 1.0/w[3];
  w[7] = a0;
  const double a1 = w[2]*a0;
  w[8] = a1;
  const double a2 = fma(-(w[2]), a1, w[5]);
  w[32] = a2;
  w[9] = 1.0/a2;
}

/* position, part 6 of 10 */
static void springs_stage_position_5(double *restrict w) {
  const double a0 = w[4]*w[9];
  w[10] = a0;
  const double a1 = fma(-(w[4]), a0, w[6]);
  w[33] = a1;
  w[11] = 1.0/a1;
  w[34] = fabs(w[3]);
}

/* position, part 7 of 10 */
static void springs_stage_position_6(const double *restrict q, double *restrict w) {
  w[12] = klingel_min(klingel_min(w[34], fabs(w[32])), fabs(w[33]));
  w[13] = tan(q[0]);
}

/* position, part 8 of 10 */
static void springs_stage_position_7(const double *restrict q, double *restrict w) {
  w[14] = asin(q[0]);
  w[15] = acos(q[0]);
  w[16] = exp(q[0]);
  w[17] = 1.0 + w[31];
}

/* position, part 9 of 10 */
static void springs_stage_position_8(const double *restrict q, double *restrict w) {
  w[18] = log(w[17]);
  w[19] = sqrt(w[17]);
  w[20] = -q[0];
  w[21] = q[0]/w[17];
  w[22] = 0.3333333333333333 + q[0];
}

/* position, part 10 of 10 */
static void springs_stage_position_9(const double *restrict p, const double *restrict q, double *restrict w) {
  w[23] = q[0]*0.8414709848078965;
  const double a0 = q[0] - p[4];
  const double a1 = fma(p[0], a0, p[1]);
  const double a2 = fma(a0, a1, p[2]);
  const double a3 = fma(a0, a2, p[3]);
  w[24] = a3;
}

/* stage position: atoms shared by several functions or kept for later stages
 * in : p[5] = k1 k2 k3 k4 hardening
 * in : q[3] = q1 q2 q3
 * ops: 17 add, 20 mul, 4 div, 1 neg, 1 sqrt, 5 trig, 7 other (55 atoms) */
void springs_stage_position(const double *restrict p, const double *restrict q, double *restrict w) {
  springs_stage_position_0(p, q, w);
  springs_stage_position_1(p, q, w);
  springs_stage_position_2(p, q, w);
  springs_stage_position_3(p, q, w);
  springs_stage_position_4(w);
  springs_stage_position_5(w);
  springs_stage_position_6(q, w);
  springs_stage_position_7(q, w);
  springs_stage_position_8(q, w);
  springs_stage_position_9(p, q, w);
}

/* velocity, part 1 of 2 */
static void springs_stage_velocity_0(const double *restrict q, const double *restrict dq, double *restrict w) {
  w[25] = atan2(q[0], dq[0]);
  w[26] = pow(w[17], dq[0]);
  w[27] = fabs(dq[0]);
}

/* velocity, part 2 of 2 */
static void springs_stage_velocity_1(const double *restrict q, const double *restrict dq, double *restrict w) {
  w[28] = klingel_sign(dq[0]);
  w[29] = klingel_min(q[0], dq[0]);
  w[30] = klingel_max(q[0], dq[0]);
}

/* stage velocity: atoms shared by several functions or kept for later stages
 * in : q[3] = q1 q2 q3
 * in : dq[3] = dq1 dq2 dq3
 * ops: 1 trig, 5 other (6 atoms) */
void springs_stage_velocity(const double *restrict q, const double *restrict dq, double *restrict w) {
  springs_stage_velocity_0(q, dq, w);
  springs_stage_velocity_1(q, dq, w);
}

/* stage force: atoms shared by several functions or kept for later stages
 * ops: none */
void springs_stage_force(void) {
}

/* stiffness: tangents of the springs, by columns
 * needs stage position
 * out: K[7], 3 x 3 sparse, nonzeros by columns
 * out: K_dense[9], 3 x 3 column major
 * ops: 2 neg (2 atoms) */
void springs_stiffness(double *restrict w, double *restrict K, double *restrict K_dense) {
  memset(K_dense, 0, 9 * sizeof *K_dense);
  K[0] = w[3];
  K[3] = w[5];
  K[6] = w[6];
  K_dense[0] = w[3];
  K_dense[4] = w[5];
  K_dense[8] = w[6];
  const double a0 = -w[2];
  K[1] = a0;
  K[2] = a0;
  K_dense[1] = a0;
  K_dense[3] = a0;
  const double a1 = -w[4];
  K[4] = a1;
  K[5] = a1;
  K_dense[5] = a1;
  K_dense[7] = a1;
}

/* displacement, part 1 of 2 */
static void springs_displacement_0(const double *restrict f, double *restrict w, double *restrict pivot) {
  pivot[0] = w[12];
  w[31] = f[0]*w[7];
  const double a0 = fma(f[0], w[8], f[1]);
  w[32] = a0;
  w[33] = w[9]*a0;
}

/* displacement, part 2 of 2 */
static void springs_displacement_1(const double *restrict f, double *restrict w, double *restrict x) {
  const double a0 = fma(w[10], w[32], f[2]);
  const double a1 = w[11]*a0;
  x[2] = a1;
  const double a2 = fma(w[10], a1, w[33]);
  x[1] = a2;
  const double a3 = fma(w[8], a2, w[31]);
  x[0] = a3;
}

/* displacement: K x = f by LDL^T in the order of the masses
 * in : f[3] = f1 f2 f3
 * needs stage force
 * out: x[3], 3 x 1 column major
 * out: pivot[1], 1 x 1 column major
 * ops: 4 add, 7 mul (11 atoms) */
void springs_displacement(const double *restrict f, double *restrict w, double *restrict x, double *restrict pivot) {
  springs_displacement_0(f, w, pivot);
  springs_displacement_1(f, w, x);
}

/* every_operation: one of each
 * in : f[3] = f1 f2 f3
 * needs stage force
 * out: y[21], 21 x 1 column major
 * ops: none */
void springs_every_operation(const double *restrict f, double *restrict w, double *restrict y) {
  y[0] = w[0];
  y[1] = w[1];
  y[2] = w[13];
  y[3] = w[14];
  y[4] = w[15];
  y[5] = w[25];
  y[6] = w[16];
  y[7] = w[18];
  y[8] = w[19];
  y[9] = w[26];
  y[10] = w[27];
  y[11] = w[28];
  y[12] = w[29];
  y[13] = w[30];
  y[14] = w[20];
  y[15] = w[21];
  y[16] = w[22];
  y[17] = w[23];
  y[18] = w[24];
  y[19] = 0.1;
  y[20] = f[2];
}

/* the table */
static void call_springs_stage_setup(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_stage_setup();
}
static void call_springs_stage_position(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_stage_position(in[0], in[1], w);
}
static void call_springs_stage_velocity(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_stage_velocity(in[1], in[2], w);
}
static void call_springs_stage_force(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_stage_force();
}
static void call_springs_stiffness(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_stiffness(w, out[0], out[1]);
}
static void call_springs_displacement(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_displacement(in[3], w, out[0], out[1]);
}
static void call_springs_every_operation(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_every_operation(in[3], w, out[0]);
}
static const char *const names_p[] = {
  "k1", "k2", "k3", "k4", "hardening"};
static const double nominal_p[] = {
  100.0, 200.0, 300.0, 400.0, 0.25};
static const char *const names_q[] = {
  "q1", "q2", "q3"};
static const double nominal_q[] = {
  0.1, 0.2, 0.30000000000000004};
static const char *const names_dq[] = {
  "dq1", "dq2", "dq3"};
static const double nominal_dq[] = {
  -0.2, -0.4, -0.6000000000000001};
static const char *const names_f[] = {
  "f1", "f2", "f3"};
static const double nominal_f[] = {
  9.0, 8.0, 7.0};
static const uint32_t col_start_stiffness_K[] = {
  0, 2, 5, 7};
static const uint32_t row_stiffness_K[] = {
  0, 1, 0, 1, 2, 1, 2};
static const klingel_output outputs_stiffness[] = {
  {"K", 3, 3, 7, col_start_stiffness_K, row_stiffness_K},
  {"K_dense", 3, 3, 9, 0, 0},
};
static const klingel_output outputs_displacement[] = {
  {"x", 3, 1, 3, 0, 0},
  {"pivot", 1, 1, 1, 0, 0},
};
static const klingel_output outputs_every_operation[] = {
  {"y", 21, 1, 21, 0, 0},
};
static const klingel_input inputs[] = {
  {"p", 5, 0, names_p, nominal_p},
  {"q", 3, 1, names_q, nominal_q},
  {"dq", 3, 2, names_dq, nominal_dq},
  {"f", 3, 3, names_f, nominal_f},
};
static const klingel_stage stages[] = {
  {"setup", call_springs_stage_setup, 0, 0},
  {"position", call_springs_stage_position, 0, 0},
  {"velocity", call_springs_stage_velocity, 0, 0},
  {"force", call_springs_stage_force, 0, 0},
};
static const klingel_function functions[] = {
  {"stiffness", "tangents of the springs, by columns", 1, 2, outputs_stiffness, call_springs_stiffness, 0, 0},
  {"displacement", "K x = f by LDL^T in the order of the masses", 3, 2, outputs_displacement, call_springs_displacement, 0, 0},
  {"every_operation", "one of each", 3, 1, outputs_every_operation, call_springs_every_operation, 0, 0},
};
static const klingel_kernel kernel = {
  2u, 1, "springs", "8454e415212a98cba974f2c162f846e8159ede169738fa3afc21caf79a86d7fc",
  35, 4, 4, 3, inputs, stages, functions};

const klingel_kernel *springs_kernel(void) { return &kernel; }
