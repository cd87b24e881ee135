/* klingel 0.1.0, kernel abi 2, model pendulum, sha256 6cb5908ea5abb6d89d0dbdde382914be42c1270ceec31cef8f305ea38a5056c1
 * Made by klingel from symbolic equations: do not edit. */
#include "pendulum.h"

#include <math.h>

#include "klingel_trig.h"

/* stage setup: atoms shared by several functions or kept for later stages
 * in : p[5] = m l J_G c g
 * ops: 1 add, 4 mul, 1 div, 1 other (7 atoms) */
void pendulum_stage_setup(const double *restrict p, double *restrict w) {
  const double a0 = fma(p[1], p[0]*p[1], p[2]);
  w[0] = a0;
  w[1] = p[1]*(p[0]*p[4]);
  w[2] = 1.0/a0;
  w[3] = fabs(a0);
}

/* stage position: atoms shared by several functions or kept for later stages
 * in : q[1] = theta
 * ops: 1 add, 2 mul, 2 trig (5 atoms) */
void pendulum_stage_position(const double *restrict q, double *restrict w) {
  const double angle[1] = {q[0]};
  double sine[1], cosine[1];
  klingel_sincos(1, angle, sine, cosine);
  w[4] = w[1]*sine[0];
  w[5] = w[1]*(1.0 - cosine[0]);
}

/* stage velocity: atoms shared by several functions or kept for later stages
 * in : p[5] = m l J_G c g
 * in : dq[1] = dtheta
 * ops: 1 mul (1 atoms) */
void pendulum_stage_velocity(const double *restrict p, const double *restrict dq, double *restrict w) {
  w[6] = p[3]*dq[0];
}

/* stage force: atoms shared by several functions or kept for later stages
 * in : u[1] = tau
 * ops: 2 add (2 atoms) */
void pendulum_stage_force(const double *restrict u, double *restrict w) {
  w[7] = u[0] - w[6] - w[4];
}

/* mass_matrix: M_qq ddq = delta_q
 * needs stage setup
 * out: M_qq[1], 1 x 1 column major
 * ops: none */
void pendulum_mass_matrix(double *restrict w, double *restrict M_qq) {
  M_qq[0] = w[0];
}

/* forces: weight, friction, torque
 * needs stage force
 * out: delta_q[1], 1 x 1 column major
 * ops: none */
void pendulum_forces(double *restrict w, double *restrict delta_q) {
  delta_q[0] = w[7];
}

/* energies: kinetic and potential energy in J
 * in : dq[1] = dtheta
 * needs stage velocity
 * out: T[1], 1 x 1 column major
 * out: V[1], 1 x 1 column major
 * ops: 3 mul (3 atoms) */
void pendulum_energies(const double *restrict dq, double *restrict w, double *restrict T, double *restrict V) {
  V[0] = w[5];
  T[0] = 0.5*(dq[0]*(dq[0]*w[0]));
}

/* acceleration: M_qq^-1 delta_q
 * needs stage force
 * out: ddq[1], 1 x 1 column major
 * out: smallest_pivot[1], 1 x 1 column major
 * ops: 1 mul (1 atoms) */
void pendulum_acceleration(double *restrict w, double *restrict ddq, double *restrict smallest_pivot) {
  smallest_pivot[0] = w[3];
  ddq[0] = w[7]*w[2];
}

/* the table */
static void call_pendulum_stage_setup(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_stage_setup(in[0], w);
}
static void call_pendulum_stage_position(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_stage_position(in[1], w);
}
static void call_pendulum_stage_velocity(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_stage_velocity(in[0], in[2], w);
}
static void call_pendulum_stage_force(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_stage_force(in[3], w);
}
static void call_pendulum_mass_matrix(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_mass_matrix(w, out[0]);
}
static void call_pendulum_forces(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_forces(w, out[0]);
}
static void call_pendulum_energies(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_energies(in[2], w, out[0], out[1]);
}
static void call_pendulum_acceleration(const void *context, const double *const *in, double *w, double *const *out) {
  (void)context, (void)in, (void)w, (void)out;
  pendulum_acceleration(w, out[0], out[1]);
}
static const char *const names_p[] = {
  "m", "l", "J_G", "c", "g"};
static const double nominal_p[] = {
  1.5, 0.8, 0.06, 0.0, 9.81};
static const char *const names_q[] = {
  "theta"};
static const double nominal_q[] = {
  2.5};
static const char *const names_dq[] = {
  "dtheta"};
static const double nominal_dq[] = {
  0.0};
static const char *const names_u[] = {
  "tau"};
static const double nominal_u[] = {
  0.0};
static const klingel_output outputs_mass_matrix[] = {
  {"M_qq", 1, 1, 1, 0, 0},
};
static const klingel_output outputs_forces[] = {
  {"delta_q", 1, 1, 1, 0, 0},
};
static const klingel_output outputs_energies[] = {
  {"T", 1, 1, 1, 0, 0},
  {"V", 1, 1, 1, 0, 0},
};
static const klingel_output outputs_acceleration[] = {
  {"ddq", 1, 1, 1, 0, 0},
  {"smallest_pivot", 1, 1, 1, 0, 0},
};
static const klingel_input inputs[] = {
  {"p", 5, 0, names_p, nominal_p},
  {"q", 1, 1, names_q, nominal_q},
  {"dq", 1, 2, names_dq, nominal_dq},
  {"u", 1, 3, names_u, nominal_u},
};
static const klingel_stage stages[] = {
  {"setup", call_pendulum_stage_setup, 0, 0},
  {"position", call_pendulum_stage_position, 0, 0},
  {"velocity", call_pendulum_stage_velocity, 0, 0},
  {"force", call_pendulum_stage_force, 0, 0},
};
static const klingel_function functions[] = {
  {"mass_matrix", "M_qq ddq = delta_q", 0, 1, outputs_mass_matrix, call_pendulum_mass_matrix, 0, 0},
  {"forces", "weight, friction, torque", 3, 1, outputs_forces, call_pendulum_forces, 0, 0},
  {"energies", "kinetic and potential energy in J", 2, 2, outputs_energies, call_pendulum_energies, 0, 0},
  {"acceleration", "M_qq^-1 delta_q", 3, 2, outputs_acceleration, call_pendulum_acceleration, 0, 0},
};
static const klingel_kernel kernel = {
  2u, 1, "pendulum", "6cb5908ea5abb6d89d0dbdde382914be42c1270ceec31cef8f305ea38a5056c1",
  8, 4, 4, 4, inputs, stages, functions};

const klingel_kernel *pendulum_kernel(void) { return &kernel; }
