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
 * klingel_steps, klingel_get_output, klingel_get_outputs, klingel_set_input, klingel_time and those
 * of a filter said below neither allocate nor lock nor touch files; all other calls may allocate.
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
/* So many steps of klingel_model_step; the measurements of a filter are those of the last one's
 * end. Ends at the first that does not answer KLINGEL_OK. */
KLINGEL_API klingel_status klingel_steps(klingel_instance* instance, size_t count);
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

/* Mechanisms without constraints have all of it. Number of continuous states q, dq: 0 for vehicles
 * on rails, which have a discrete step only. */
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

/* ---- derivatives of the step (vehicles) --------------------------------------------------------
 */

/* With x what the step remembers, v what it is given and y outputs, all at their names:
 * J = d(x, y)(t+h) / d(x, v), by central differences of the step itself. Names are patterns, '*'
 * for any text: states "q.*", "dq.*", "z.*"; given "u.NAME" (inputs), "p.NAME" (parameters),
 * "friction.WHEEL", "friction.all", "lateral.WHEELSET", "vertical.WHEELSET",
 * "cross_level.WHEELSET" (irregularity, and its rate with a d in front); outputs as in
 * KLINGEL_OUTPUT. No states: all. docs/estimation.md has the rest. Since version 0.1. */
typedef struct klingel_lineariser klingel_lineariser;
KLINGEL_API klingel_lineariser* klingel_lineariser_create(
    klingel_instance* instance, const char* const* states, size_t n_states,
    const char* const* given, size_t n_given, const char* const* outputs, size_t n_outputs,
    char* message, size_t size);
KLINGEL_API void klingel_lineariser_free(klingel_lineariser* lineariser); /* NULL is allowed */
/* Rows: states, then outputs. Columns: states, then what is given. */
KLINGEL_API size_t klingel_lineariser_states(const klingel_lineariser* lineariser);
KLINGEL_API size_t klingel_lineariser_rows(const klingel_lineariser* lineariser);
KLINGEL_API size_t klingel_lineariser_columns(const klingel_lineariser* lineariser);
KLINGEL_API const char* klingel_lineariser_row(const klingel_lineariser* lineariser, size_t index);
KLINGEL_API const char* klingel_lineariser_column(const klingel_lineariser* lineariser,
                                                  size_t index);
/* J by columns, rows * columns numbers, of the step that begins at the state of the instance, which
 * stays. KLINGEL_FAILED if that step fails. Does not allocate. */
KLINGEL_API klingel_status klingel_linearise(klingel_lineariser* lineariser,
                                             klingel_instance* instance, double* J, size_t count);

/* ---- Kalman filter (vehicles) ------------------------------------------------------------------
 */

/* What a filter estimates and from which sensors. Functions answer KLINGEL_WRONG for numbers that
 * cannot be; names are looked for by klingel_filter_create. */
typedef struct klingel_filter_setup klingel_filter_setup;
KLINGEL_API klingel_filter_setup* klingel_filter_setup_create(void);
KLINGEL_API void klingel_filter_setup_free(klingel_filter_setup* setup); /* NULL is allowed */
/* States by pattern, with standard deviation at the start and noise per square root of a second. */
KLINGEL_API klingel_status klingel_filter_state(klingel_filter_setup* setup, const char* pattern,
                                                double sigma, double noise);
KLINGEL_API klingel_status klingel_filter_without(klingel_filter_setup* setup, const char* pattern);
/* "p.NAME", "friction.WHEEL", "friction.all" or "u.NAME" as a random walk between limits. */
KLINGEL_API klingel_status klingel_filter_parameter(klingel_filter_setup* setup, const char* name,
                                                    double sigma, double noise, double least,
                                                    double most);
typedef enum klingel_irregularity {
  KLINGEL_LATERAL = 0,
  KLINGEL_VERTICAL = 1,
  KLINGEL_CROSS_LEVEL = 2
} klingel_irregularity;
/* Irregularity under all wheelsets with the spectrum of ERRI B176, low (0) or high (1) disturbance,
 * with waves of a band of lengths in m. Wheelsets of a bogie run over the same rails. */
KLINGEL_API klingel_status klingel_filter_irregularity(klingel_filter_setup* setup,
                                                       klingel_irregularity what, int high,
                                                       double shortest, double longest);
KLINGEL_API klingel_status klingel_filter_sensor(klingel_filter_setup* setup, const char* output,
                                                 double sigma);
KLINGEL_API klingel_status klingel_filter_output(klingel_filter_setup* setup, const char* pattern);
/* Columns of the derivatives that are renewed in each step, in turn (0: all), and the gate of
 * outliers in standard deviations (0: none). */
KLINGEL_API klingel_status klingel_filter_options(klingel_filter_setup* setup, size_t columns,
                                                  double gate);

/* A filter that begins at the state of a started instance, with its parameters and inputs; the
 * instance is not touched afterwards. NULL with a message if that fails. */
typedef struct klingel_filter klingel_filter;
KLINGEL_API klingel_filter* klingel_filter_create(klingel_instance* instance,
                                                  const klingel_filter_setup* setup, char* message,
                                                  size_t size);
KLINGEL_API void klingel_filter_free(klingel_filter* filter); /* NULL is allowed */
typedef enum klingel_filter_part {
  KLINGEL_FILTER_STATE = 0, /* states, parameters, states of irregularities */
  KLINGEL_FILTER_SENSOR = 1,
  KLINGEL_FILTER_OUTPUT = 2
} klingel_filter_part;
KLINGEL_API size_t klingel_filter_count(const klingel_filter* filter, klingel_filter_part part);
KLINGEL_API const char* klingel_filter_name(const klingel_filter* filter, klingel_filter_part part,
                                            size_t index);
/* An input of the filter's vehicle, by index of KLINGEL_INPUT, without friction. */
KLINGEL_API klingel_status klingel_filter_set_input(klingel_filter* filter, size_t index,
                                                    double value);
/* A step of the model and the measurements at its end; NaN is missing. KLINGEL_FAILED if the
 * model's step fails or the covariance is no longer finite: the filter cannot go on. Neither
 * allocates nor locks nor touches files; the same of what follows. */
KLINGEL_API klingel_status klingel_filter_step(klingel_filter* filter, const double* y,
                                               size_t count);
/* Estimates and standard deviations of states or outputs; of sensors: innovations and theirs. */
KLINGEL_API klingel_status klingel_filter_get(const klingel_filter* filter,
                                              klingel_filter_part part, double* values,
                                              double* sigmas, size_t count);
/* Normalized innovation squared of the last step, and how many measurements it has. */
KLINGEL_API double klingel_filter_nis(const klingel_filter* filter, size_t* measurements);

/* A model may be a filter itself: that of a package or FMU made of an estimate file. It has no
 * parameters. Inputs are those of the vehicle, then its sensors: what is measured at the end of the
 * next step, kept until it is set again, NaN or never set: missing; then "valid.SENSOR", below 0.5:
 * missing. A sensor with a delay takes what arrives. Outputs are estimates NAME and NAME.sigma,
 * innovations of sensors, "nis" and "nis.freedom"; estimates of forces are 0 before the first step.
 * klingel_step is a step of the filter and does not allocate; klingel_step_by is refused. After
 * KLINGEL_FAILED or KLINGEL_DERAILED it cannot go on: klingel_start begins again. */
KLINGEL_API int klingel_is_filter(const klingel_model* model); /* 1 or 0 */

#ifdef __cplusplus
}
#endif

#endif
