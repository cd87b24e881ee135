/* klingel 0.1.0, kernel abi 2, model pendulum, sha256 6cb5908ea5abb6d89d0dbdde382914be42c1270ceec31cef8f305ea38a5056c1
 * Made by klingel from symbolic equations: do not edit. */
#ifndef KLINGEL_MODEL_pendulum_H
#define KLINGEL_MODEL_pendulum_H

#include "klingel_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The order of calls: stages in the order below, then the functions you need.
 * A stage is called again when one of its inputs, or an earlier stage, changed. */
enum { pendulum_workspace_size = 8 };

void pendulum_stage_setup(const double *p, double *w);
void pendulum_stage_position(const double *q, double *w);
void pendulum_stage_velocity(const double *p, const double *dq, double *w);
void pendulum_stage_force(const double *u, double *w);
void pendulum_mass_matrix(double *w, double *M_qq);
void pendulum_forces(double *w, double *delta_q);
void pendulum_energies(const double *dq, double *w, double *T, double *V);
void pendulum_acceleration(double *w, double *ddq, double *smallest_pivot);

/* All of the above as one table. */
const klingel_kernel *pendulum_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
