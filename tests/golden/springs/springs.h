/* klingel 0.1.0, kernel abi 2, model springs, sha256 8454e415212a98cba974f2c162f846e8159ede169738fa3afc21caf79a86d7fc
 * Made by klingel from symbolic equations: do not edit. */
#ifndef KLINGEL_MODEL_springs_H
#define KLINGEL_MODEL_springs_H

#include "klingel_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The order of calls: stages in the order below, then the functions you need.
 * A stage is called again when one of its inputs, or an earlier stage, changed. */
enum { springs_workspace_size = 35 };

void springs_stage_setup(void);
void springs_stage_position(const double *p, const double *q, double *w);
void springs_stage_velocity(const double *q, const double *dq, double *w);
void springs_stage_force(void);
void springs_stiffness(double *w, double *K, double *K_dense);
void springs_displacement(const double *f, double *w, double *x, double *pivot);
void springs_every_operation(const double *f, double *w, double *y);

/* All of the above as one table. */
const klingel_kernel *springs_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
