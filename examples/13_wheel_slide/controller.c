/* Brakes with wheel-slide protection for the locomotive feve3000_corrected, as a program of its
 * own.
 *
 *   controller NAME [--unprotected]     NAME: shared memory of `klingel realtime --shm NAME`
 *
 * Every millisecond it hears the speed of the locomotive (its radar) and of each wheelset, and says
 * the torque of each brake. vehicle.h is written by `klingel realtime --header`. */
#include "vehicle.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>

enum { AXLES = 4 };
static const int spin[AXLES] = {
    KLINGEL_OUTPUT_dq_front_front_spin, KLINGEL_OUTPUT_dq_front_rear_spin,
    KLINGEL_OUTPUT_dq_rear_front_spin, KLINGEL_OUTPUT_dq_rear_rear_spin};
static const int brake[AXLES] = {KLINGEL_INPUT_front_front_brake, KLINGEL_INPUT_front_rear_brake,
                                 KLINGEL_INPUT_rear_front_brake, KLINGEL_INPUT_rear_rear_brake};
static const double radius = 0.5;     /* m */
static const double demand = 6000;    /* N m on each wheelset */
static const double period = 1e-3;    /* s */
static const double let_go_below = 3; /* m/s: the test ends, the brakes are released */

/* Share of the demand that the valve of an axle lets through: vents, holds or fills. */
static double valve(double share, double v, double omega) {
  const double slide = v - radius * omega; /* m/s */
  if (slide > 0.05 * v)
    share -= 8 * period;
  else if (slide < 0.02 * v)
    share += 0.8 * period;
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Blocks on a wheel: against its turning, and nothing where it stands still. */
static double friction(double torque, double omega) {
  const double full = 0.5; /* rad/s */
  return torque * (omega > full ? 1 : omega < -full ? -1 : omega / full);
}

static void control(const klingel_outputs* out, klingel_inputs* in, double* share, int protected) {
  const double v = out->value[KLINGEL_OUTPUT_speed];
  const double pressure =
      v > let_go_below ? fmin(out->head.time / 0.5, 1) : 0; /* built up in 0.5 s */
  for (int i = 0; i < AXLES; ++i) {
    const double omega = out->value[spin[i]];
    share[i] = protected ? valve(share[i], v, omega) : 1;
    in->value[brake[i]] = friction(pressure * share[i] * demand, omega);
  }
}

int main(int count, char** arguments) {
  if (count < 2) return fprintf(stderr, "usage: controller NAME [--unprotected]\n"), 2;
  const int protected = count < 3 || strcmp(arguments[2], "--unprotected") != 0;
  klingel_link link;
  int opened = -1;
  for (int i = 0; i < 30000 && opened == -1; ++i) {
    opened = klingel_open(&link, arguments[1]); /* the loop may not be there yet */
    if (opened == -1) nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  if (opened != 0)
    return fprintf(stderr, "controller: %s\n",
                   opened == -1 ? "no such shared memory" : "other signals"),
           1;

  klingel_inputs in;
  klingel_outputs out;
  double share[AXLES] = {1, 1, 1, 1};
  klingel_begin(&in);
  while (klingel_is_running(&link)) {
    if (klingel_read(&link, &out)) {
      control(&out, &in, share, protected);
      klingel_write(&link, &in, &out);
    } else {
      sched_yield();
    }
  }
  return 0;
}
