/* klingel 0.1.0, kernel abi 2, model springs_lanes, 4 lanes, sha256 60f039348dd7839038fbaedd889281d22664bde381104394c1574fa7ead8288f
 * Made by klingel from symbolic equations: do not edit. */
#include "springs_lanes.h"

#include <math.h>
#include <string.h>

#include "klingel_trig.h"

/* stage setup: atoms shared by several functions or kept for later stages
 * ops: none */
void springs_lanes_stage_setup(void) {
}

/* stage position: atoms shared by several functions or kept for later stages
 * in : p[5] = k1 k2 k3 k4 hardening
 * in : q[3] = q1 q2 q3
 * ops: 17 add, 20 mul, 4 div, 1 neg, 1 sqrt, 5 trig, 7 other (55 atoms) */
void springs_lanes_stage_position(const klingel_element *restrict p, const klingel_element *restrict q, klingel_element *restrict w) {
  const klingel_vector angle[1] = {q[0]};
  klingel_vector sine[1], cosine[1];
  klingel_sincos(4, (const double *)angle, (double *)sine, (double *)cosine);
  w[0] = sine[0];
  w[1] = cosine[0];
  const klingel_vector a0 = q[0]*q[0];
  const klingel_vector a1 = klingel_lanes_fma(p[4], a0, klingel_lanes_all(1.0));
  /* stiffness[1] */
  const klingel_vector a2 = p[0]*a1;
  const klingel_vector a3 = q[1] - q[0];
  const klingel_vector a4 = klingel_lanes_fma(p[4], a3*a3, klingel_lanes_all(1.0));
  /* stiffness[2] */
  const klingel_vector a5 = p[1]*a4;
  w[2] = a5;
  const klingel_vector a6 = a2 + a5;
  w[3] = a6;
  const klingel_vector a7 = q[2] - q[1];
  const klingel_vector a8 = klingel_lanes_fma(p[4], a7*a7, klingel_lanes_all(1.0));
  /* stiffness[3] */
  const klingel_vector a9 = p[2]*a8;
  w[4] = a9;
  const klingel_vector a10 = a5 + a9;
  w[5] = a10;
  const klingel_vector a11 = klingel_lanes_fma(p[4], q[2]*q[2], klingel_lanes_all(1.0));
  /* stiffness[4] */
  const klingel_vector a12 = p[3]*a11;
  const klingel_vector a13 = a9 + a12;
  w[6] = a13;
  const klingel_vector a14 = 1.0/a6;
  w[7] = a14;
  const klingel_vector a15 = a5*a14;
  w[8] = a15;
  const klingel_vector a16 = klingel_lanes_fma(-(a5), a15, a10);
  const klingel_vector a17 = 1.0/a16;
  w[9] = a17;
  const klingel_vector a18 = a9*a17;
  w[10] = a18;
  const klingel_vector a19 = klingel_lanes_fma(-(a9), a18, a13);
  w[11] = 1.0/a19;
  const klingel_vector a20 = klingel_lanes_abs(a6);
  const klingel_vector a21 = klingel_lanes_abs(a16);
  const klingel_vector a22 = klingel_lanes_min(a20, a21);
  const klingel_vector a23 = klingel_lanes_abs(a19);
  const klingel_vector a24 = klingel_lanes_min(a22, a23);
  w[12] = a24;
  const klingel_vector a25 = klingel_lanes_tan(q[0]);
  w[13] = a25;
  const klingel_vector a26 = klingel_lanes_asin(q[0]);
  w[14] = a26;
  const klingel_vector a27 = klingel_lanes_acos(q[0]);
  w[15] = a27;
  const klingel_vector a28 = klingel_lanes_exp(q[0]);
  w[16] = a28;
  const klingel_vector a29 = 1.0 + a0;
  w[17] = a29;
  const klingel_vector a30 = klingel_lanes_log(a29);
  w[18] = a30;
  const klingel_vector a31 = klingel_lanes_sqrt(a29);
  w[19] = a31;
  w[20] = -q[0];
  w[21] = q[0]/a29;
  w[22] = 0.3333333333333333 + q[0];
  w[23] = q[0]*0.8414709848078965;
  const klingel_vector a32 = q[0] - p[4];
  const klingel_vector a33 = klingel_lanes_fma(p[0], a32, p[1]);
  const klingel_vector a34 = klingel_lanes_fma(a32, a33, p[2]);
  const klingel_vector a35 = klingel_lanes_fma(a32, a34, p[3]);
  w[24] = a35;
}

/* stage velocity: atoms shared by several functions or kept for later stages
 * in : q[3] = q1 q2 q3
 * in : dq[3] = dq1 dq2 dq3
 * ops: 1 trig, 5 other (6 atoms) */
void springs_lanes_stage_velocity(const klingel_element *restrict q, const klingel_element *restrict dq, klingel_element *restrict w) {
  const klingel_vector a0 = klingel_lanes_atan2(q[0], dq[0]);
  w[25] = a0;
  const klingel_vector a1 = klingel_lanes_pow(w[17], dq[0]);
  w[26] = a1;
  const klingel_vector a2 = klingel_lanes_abs(dq[0]);
  w[27] = a2;
  const klingel_vector a3 = klingel_lanes_sign(dq[0]);
  w[28] = a3;
  const klingel_vector a4 = klingel_lanes_min(q[0], dq[0]);
  w[29] = a4;
  const klingel_vector a5 = klingel_lanes_max(q[0], dq[0]);
  w[30] = a5;
}

/* stage force: atoms shared by several functions or kept for later stages
 * ops: none */
void springs_lanes_stage_force(void) {
}

/* stiffness: tangents of the springs, by columns
 * needs stage position
 * out: K[7], 3 x 3 sparse, nonzeros by columns
 * out: K_dense[9], 3 x 3 column major
 * ops: 2 neg (2 atoms) */
void springs_lanes_stiffness(klingel_element *restrict w, klingel_element *restrict K, klingel_element *restrict K_dense) {
  memset(K_dense, 0, 9 * sizeof *K_dense);
  K[0] = w[3];
  K[3] = w[5];
  K[6] = w[6];
  K_dense[0] = w[3];
  K_dense[4] = w[5];
  K_dense[8] = w[6];
  const klingel_vector a0 = -w[2];
  K[1] = a0;
  K[2] = a0;
  K_dense[1] = a0;
  K_dense[3] = a0;
  const klingel_vector a1 = -w[4];
  K[4] = a1;
  K[5] = a1;
  K_dense[5] = a1;
  K_dense[7] = a1;
}

/* displacement: K x = f by LDL^T in the order of the masses
 * in : f[3] = f1 f2 f3
 * needs stage force
 * out: x[3], 3 x 1 column major
 * out: pivot[1], 1 x 1 column major
 * ops: 4 add, 7 mul (11 atoms) */
void springs_lanes_displacement(const klingel_element *restrict f, klingel_element *restrict w, klingel_element *restrict x, klingel_element *restrict pivot) {
  pivot[0] = w[12];
  const klingel_vector a0 = klingel_lanes_fma(f[0], w[8], f[1]);
  const klingel_vector a1 = klingel_lanes_fma(w[10], a0, f[2]);
  const klingel_vector a2 = w[11]*a1;
  x[2] = a2;
  const klingel_vector a3 = klingel_lanes_fma(w[10], a2, w[9]*a0);
  x[1] = a3;
  const klingel_vector a4 = klingel_lanes_fma(w[8], a3, f[0]*w[7]);
  x[0] = a4;
}

/* every_operation: one of each
 * in : f[3] = f1 f2 f3
 * needs stage force
 * out: y[21], 21 x 1 column major
 * ops: none */
void springs_lanes_every_operation(const klingel_element *restrict f, klingel_element *restrict w, klingel_element *restrict y) {
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
  y[19] = klingel_lanes_all(0.1);
  y[20] = f[2];
}

/* the table */
static void call_springs_lanes_stage_setup(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_lanes_stage_setup();
}
static void call_springs_lanes_stage_position(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_lanes_stage_position((const klingel_element *)in[0], (const klingel_element *)in[1], (klingel_element *)w);
}
static void call_springs_lanes_stage_velocity(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_lanes_stage_velocity((const klingel_element *)in[1], (const klingel_element *)in[2], (klingel_element *)w);
}
static void call_springs_lanes_stage_force(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_lanes_stage_force();
}
static void call_springs_lanes_stiffness(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_lanes_stiffness((klingel_element *)w, (klingel_element *)out[0], (klingel_element *)out[1]);
}
static void call_springs_lanes_displacement(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_lanes_displacement((const klingel_element *)in[3], (klingel_element *)w, (klingel_element *)out[0], (klingel_element *)out[1]);
}
static void call_springs_lanes_every_operation(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  springs_lanes_every_operation((const klingel_element *)in[3], (klingel_element *)w, (klingel_element *)out[0]);
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
  {"setup", call_springs_lanes_stage_setup, 0, 0},
  {"position", call_springs_lanes_stage_position, 0, 0},
  {"velocity", call_springs_lanes_stage_velocity, 0, 0},
  {"force", call_springs_lanes_stage_force, 0, 0},
};
static const klingel_function functions[] = {
  {"stiffness", "tangents of the springs, by columns", 1, 2, outputs_stiffness, call_springs_lanes_stiffness, 0, 0},
  {"displacement", "K x = f by LDL^T in the order of the masses", 3, 2, outputs_displacement, call_springs_lanes_displacement, 0, 0},
  {"every_operation", "one of each", 3, 1, outputs_every_operation, call_springs_lanes_every_operation, 0, 0},
};
static const klingel_kernel kernel = {
  2u, 4, "springs_lanes", "60f039348dd7839038fbaedd889281d22664bde381104394c1574fa7ead8288f",
  31, 4, 4, 3, inputs, stages, functions};

const klingel_kernel *springs_lanes_kernel(void) { return &kernel; }
