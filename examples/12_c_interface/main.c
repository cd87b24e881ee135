/* A vehicle driven from C: half a second of its scenario, then half a second on wet rail, then that
 * half second again from a saved state, dry. Prints the load of the first wheel.
 *
 *   c_interface [WHAT]      a vehicle or scenario; coach_300m without one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "klingel.h"

/* The first output whose name begins with `begin`. */
static size_t output_like(const klingel_model* model, const char* begin) {
  const size_t count = klingel_count(model, KLINGEL_OUTPUT);
  for (size_t i = 0; i < count; ++i)
    if (strncmp(klingel_variable_at(model, KLINGEL_OUTPUT, i)->name, begin, strlen(begin)) == 0)
      return i;
  return 0;
}

static int steps(klingel_instance* vehicle, int count) {
  for (int i = 0; i < count; ++i) {
    if (klingel_step(vehicle) == KLINGEL_OK) continue;
    fprintf(stderr, "c_interface: %s\n", klingel_message(vehicle));
    return 0;
  }
  return 1;
}

static int drive(const klingel_model* model, klingel_instance* vehicle, void* state, size_t size) {
  const size_t load = output_like(model, "Q."), place = output_like(model, "s");
  const char* wheel = klingel_variable_at(model, KLINGEL_OUTPUT, load)->name;
  if (klingel_start(vehicle) != KLINGEL_OK) {
    fprintf(stderr, "c_interface: %s\n", klingel_message(vehicle));
    return 0;
  }
  if (!steps(vehicle, 500) || klingel_state_save(vehicle, state, size) != KLINGEL_OK) return 0;
  printf("t %.3f s, s %.3f m, %s %.0f N\n", klingel_time(vehicle),
         klingel_get_output(vehicle, place), wheel, klingel_get_output(vehicle, load));

  /* wet rail from here on */
  for (size_t i = 0; i < klingel_count(model, KLINGEL_INPUT); ++i)
    if (strncmp(klingel_variable_at(model, KLINGEL_INPUT, i)->name, "friction.", 9) == 0)
      klingel_set_input(vehicle, i, 0.1);
  if (!steps(vehicle, 500)) return 0;
  const double wet = klingel_get_output(vehicle, load);
  printf("t %.3f s, wet:  %s %.3f N\n", klingel_time(vehicle), wheel, wet);

  /* the same half second again, dry */
  if (klingel_state_restore(vehicle, state, size) != KLINGEL_OK || !steps(vehicle, 500)) return 0;
  const double dry = klingel_get_output(vehicle, load);
  printf("t %.3f s, dry:  %s %.3f N\n", klingel_time(vehicle), wheel, dry);
  return wet != dry;
}

int main(int count, char** arguments) {
  char message[400];
  klingel_model* model =
      klingel_load(count > 1 ? arguments[1] : "coach_300m", message, sizeof message);
  klingel_instance* vehicle = model != NULL ? klingel_create(model, message, sizeof message) : NULL;
  const size_t size = klingel_state_size(model);
  void* state = size > 0 ? malloc(size) : NULL;
  int good = 0;
  if (vehicle != NULL && state != NULL)
    good = drive(model, vehicle, state, size);
  else
    fprintf(stderr, "c_interface: %s\n", message);
  free(state);
  klingel_free(vehicle);
  klingel_model_free(model);
  return good ? 0 : 1;
}
