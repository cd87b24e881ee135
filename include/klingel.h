/* The C interface of Klingel: a vehicle or mechanism that runs, from any language that can call C.
 *
 *   char message[400];
 *   klingel_model* model = klingel_load("coach_300m", message, sizeof message);
 *   klingel_instance* vehicle = klingel_create(model, message, sizeof message);
 *   klingel_start(vehicle);
 *   const long load = klingel_find(model, KLINGEL_OUTPUT, "Q.front.front.left");
 *   while (klingel_step(vehicle) == KLINGEL_OK) use(klingel_get_output(vehicle, load));
 *   klingel_free(vehicle);
 *   klingel_model_free(model);
 *
 * The same header serves the library, exported packages and FMUs. SI units, angles in radians.
 *
 * Models are constant: any number of instances in any threads may share one. An instance belongs to
 * one thread at a time. There is no global state. No call throws. klingel_step, klingel_step_by,
 * klingel_get_output, klingel_get_outputs, klingel_set_input and klingel_time neither allocate nor
 * lock nor touch files; all other calls may allocate.
 *
 * Wrong calls (an index out of range, a value that is not finite, a null pointer) answer with
 * KLINGEL_WRONG and change nothing; klingel_message says what was wrong. */
#ifndef KLINGEL_H
#define KLINGEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KLINGEL_API __attribute__((visibility("default")))
#else
#define KLINGEL_API
#endif

/* Raised with every change that old callers would notice. */
#define KLINGEL_INTERFACE 1u

typedef struct klingel_model klingel_model;
typedef struct klingel_instance klingel_instance;

typedef enum klingel_status {
  KLINGEL_OK = 0,
  KLINGEL_WRONG = 1,    /* a wrong argument, or a call out of order; nothing has changed */
  KLINGEL_FAILED = 2,   /* the numbers failed; the state is that before the call */
  KLINGEL_DERAILED = 3, /* a wheel has left its rail for good; the state is that before the step */
  KLINGEL_INTERNAL = 4, /* out of memory, or our own mistake; free the instance */
  KLINGEL_END_OF_TRACK = 5 /* a wheelset comes within a metre of the end of its track: no step was
                              done, the state stays, klingel_start begins again */
} klingel_status;

/* The version of this header that the library was built with. */
KLINGEL_API uint32_t klingel_interface(void);

/* ---- models ---------------------------------------------------------------------------------- */

/* What an exported package offers; its generated C has a function NAME_package. */
struct klingel_kernel;
typedef struct klingel_package {
  uint32_t interface;        /* KLINGEL_INTERFACE of the exporter */
  const char* name;          /* of the model */
  const unsigned char* data; /* the model's data, or NULL if they are in a file */
  size_t size;
  const struct klingel_kernel* const* kernels;
  size_t n_kernels;
} klingel_package;

/* A model from a package; `file` holds its data unless they are embedded (then it may be NULL).
 * NULL with a message if that fails. */
KLINGEL_API klingel_model* klingel_model_create(const klingel_package* package, const char* file,
                                                char* message, size_t size);
/* A model from its files: a vehicle or scenario, a shipped name or a path. Only in the library that
 * has the compiler, not in packages. */
KLINGEL_API klingel_model* klingel_load(const char* what, char* message, size_t size);
/* Instances keep what they need: a model may be freed before them. NULL is allowed. */
KLINGEL_API void klingel_model_free(klingel_model* model);

KLINGEL_API const char* klingel_model_name(const klingel_model* model);
/* 64 hexadecimal digits that name the model: its kernels and data. States fit models of the same
 * token only. */
KLINGEL_API const char* klingel_model_token(const klingel_model* model);
KLINGEL_API double klingel_model_step(const klingel_model* model);     /* s, of one klingel_step */
KLINGEL_API double klingel_model_duration(const klingel_model* model); /* s, of its scenario */

/* ---- variables ------------------------------------------------------------------------------- */

typedef enum klingel_kind {
  KLINGEL_PARAMETER = 0, /* of the vehicle file; "start.position" and "start.speed" of the start */
  KLINGEL_INPUT = 1,     /* motors, brakes, external forces; "friction.WHEEL" */
  KLINGEL_OUTPUT = 2     /* channels of a recording */
} klingel_kind;

typedef struct klingel_variable {
  const char* name;
  const char* unit; /* "N", "m/s"; "1" for ratios; "" where it is not known */
  const char* about;
  double start; /* value of a new instance; of outputs 0 */
} klingel_variable;

KLINGEL_API size_t klingel_count(const klingel_model* model, klingel_kind kind);
/* NULL if there is none with this index. Valid as long as the model. */
KLINGEL_API const klingel_variable* klingel_variable_at(const klingel_model* model,
                                                        klingel_kind kind, size_t index);
/* The index of a name, or -1. */
KLINGEL_API long klingel_find(const klingel_model* model, klingel_kind kind, const char* name);

/* ---- instances ------------------------------------------------------------------------------- */

/* NULL with a message if that fails. A new instance must be started. */
KLINGEL_API klingel_instance* klingel_create(const klingel_model* model, char* message,
                                             size_t size);
/* Another instance in the same state. */
KLINGEL_API klingel_instance* klingel_copy(const klingel_instance* instance, char* message,
                                           size_t size);
KLINGEL_API void klingel_free(klingel_instance* instance); /* NULL is allowed */

/* About the last call that did not answer KLINGEL_OK; never NULL, valid until the next call. */
KLINGEL_API const char* klingel_message(const klingel_instance* instance);

/* Parameters act at the next start or step; after a change klingel_start finds the start anew,
 * which takes some time. */
KLINGEL_API klingel_status klingel_set_parameter(klingel_instance* instance, size_t index,
                                                 double value);
KLINGEL_API double klingel_get_parameter(const klingel_instance* instance, size_t index);

/* An input keeps its value; inputs that were never set follow the scenario. */
KLINGEL_API klingel_status klingel_set_input(klingel_instance* instance, size_t index,
                                             double value);
KLINGEL_API double klingel_get_input(const klingel_instance* instance, size_t index);
/* Lets an input follow the scenario again. */
KLINGEL_API klingel_status klingel_release_input(klingel_instance* instance, size_t index);

/* Puts the vehicle at the start of its scenario, with the parameters it has. May be called again.
 */
KLINGEL_API klingel_status klingel_start(klingel_instance* instance);
/* As newly created: nominal parameters, no inputs set, not started. */
KLINGEL_API klingel_status klingel_reset(klingel_instance* instance);

/* One time step of klingel_model_step. */
KLINGEL_API klingel_status klingel_step(klingel_instance* instance);
/* A step of another length h, s: longer than 0, at most klingel_model_step. For callers whose
 * intervals are no multiples of it: whole steps, then one for the rest. */
KLINGEL_API klingel_status klingel_step_by(klingel_instance* instance, double h);
KLINGEL_API double klingel_time(const klingel_instance* instance); /* s */

/* Outputs at klingel_time(); NaN for an index out of range. Places and motion are those of this
 * instant. Forces belong to steps: by default to the step that led here (at the start: to the one
 * that begins there). With KLINGEL_FORCES_NEXT they are those of the step that begins here with the
 * present inputs, as in a row of `klingel run`: the first output that is read then does this step,
 * and klingel_step repeats it only if something was set in between. */
typedef enum klingel_forces { KLINGEL_FORCES_LAST = 0, KLINGEL_FORCES_NEXT = 1 } klingel_forces;
KLINGEL_API klingel_status klingel_set_forces(klingel_instance* instance, klingel_forces which);
KLINGEL_API double klingel_get_output(klingel_instance* instance, size_t index);
/* All outputs in their order; `count` is that of klingel_count. */
KLINGEL_API klingel_status klingel_get_outputs(klingel_instance* instance, double* values,
                                               size_t count);

/* ---- states ---------------------------------------------------------------------------------- */

/* The whole state as bytes: motion, contacts, parameters, inputs, outputs. From a restored state a
 * run goes on bit for bit, in any instance of the same model, also in another process. The size is
 * the same for all states of a model. */
KLINGEL_API size_t klingel_state_size(const klingel_model* model);
KLINGEL_API klingel_status klingel_state_save(klingel_instance* instance, void* bytes, size_t size);
KLINGEL_API klingel_status klingel_state_restore(klingel_instance* instance, const void* bytes,
                                                 size_t size);

/* ---- continuous form ------------------------------------------------------------------------- */

/* Mechanisms without constraints have all of it. Number of continuous states q, dq: 0 for vehicles on rails, which have a discrete step only. */
KLINGEL_API size_t klingel_continuous_states(const klingel_model* model);
KLINGEL_API klingel_status klingel_get_continuous(const klingel_instance* instance, double* x,
                                                  size_t count);
KLINGEL_API klingel_status klingel_set_continuous(klingel_instance* instance, double t,
                                                  const double* x, size_t count);
KLINGEL_API klingel_status klingel_derivatives(klingel_instance* instance, double* dx,
                                               size_t count);

/* Number of coordinates of a vehicle, in the order of its outputs q.NAME; 0 for mechanisms. */
KLINGEL_API size_t klingel_coordinates(const klingel_model* model);
/* ddq at the present state with the present inputs, by the continuous equations of motion and
 * contact. Not what a step makes of them: a step of finite length averages. Changes nothing. */
KLINGEL_API klingel_status klingel_accelerations(klingel_instance* instance, double* ddq,
                                                 size_t count);

#ifdef __cplusplus
}
#endif

#endif
