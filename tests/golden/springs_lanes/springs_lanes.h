/* klingel 0.1.0, kernel abi 2, model springs_lanes, 4 lanes, sha256 60f039348dd7839038fbaedd889281d22664bde381104394c1574fa7ead8288f
 * Made by klingel from symbolic equations: do not edit. */
#ifndef KLINGEL_MODEL_springs_lanes_H
#define KLINGEL_MODEL_springs_lanes_H

#include "klingel_kernel.h"

/* Every element is 4 consecutive doubles, one for each of 4 states. */
#define KLINGEL_LANES 4
#include "klingel_trig.h"
#include "klingel_lanes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The order of calls: stages in the order below, then the functions you need.
 * A stage is called again when one of its inputs, or an earlier stage, changed. */
enum { springs_lanes_workspace_size = 31 };

void springs_lanes_stage_setup(void);
void springs_lanes_stage_position(const klingel_element *p, const klingel_element *q, klingel_element *w);
void springs_lanes_stage_velocity(const klingel_element *q, const klingel_element *dq, klingel_element *w);
void springs_lanes_stage_force(void);
void springs_lanes_stiffness(klingel_element *w, klingel_element *K, klingel_element *K_dense);
void springs_lanes_displacement(const klingel_element *f, klingel_element *w, klingel_element *x, klingel_element *pivot);
void springs_lanes_every_operation(const klingel_element *f, klingel_element *w, klingel_element *y);

/* All of the above as one table. */
const klingel_kernel *springs_lanes_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
