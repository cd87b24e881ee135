/* The bridge between the compiler and the runtime: the C interface of a set of kernels.
 *
 * A kernel set is a constant table: inputs, stages and functions of one model, with names, shapes
 * and sparsity, and pointers to pure functions. Generated C, the interpreter and a just-in-time
 * compiler all offer this table, so a caller cannot tell them apart.
 *
 * How to use it:
 *   1. check the table with klingel_kernel_check (check.h)
 *   2. allocate workspace_size elements, 64-byte aligned for speed; one workspace per thread
 *   3. whenever the inputs of stage k changed, call stage k and every later stage; stage 0 depends
 * on parameters only and is called once at setup. Stages marked rare may be left out until a
 * function marked rare is wanted
 *   4. call the functions you want; a function needs its own stage and all earlier ones to be up to
 * date Nothing here allocates, keeps state or fails. All doubles, SI units, matrices column major.
 *
 * Lanes: a table with lanes = n evaluates n states with one call. Every element of inputs, outputs
 * and workspace then is n consecutive doubles, one per state: element i of state l stands at
 * i * n + l, and an array of `size` elements has size * n doubles. Sizes, names and nominal values
 * in the table count elements and are the same for every number of lanes. */
#ifndef KLINGEL_KERNEL_ABI_H
#define KLINGEL_KERNEL_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised with every incompatible change of the structures below. */
#define KLINGEL_ABI 2u

/* in[i]: the i-th input array of the set. w: the caller's workspace. out[j]: the j-th output of the
 * function (unused by stages). context: belongs to the table entry; generated C ignores it. */
typedef void klingel_call(const void* context, const double* const* in, double* w,
                          double* const* out);

typedef struct klingel_input {
  const char* name;         /* "q" */
  uint32_t size;            /* number of elements */
  uint32_t stage;           /* index of the stage it belongs to */
  const char* const* names; /* name of each element */
  const double* nominal;    /* a sensible value of each element */
} klingel_input;

typedef struct klingel_output {
  const char* name; /* "M_qq" */
  uint32_t rows, cols;
  uint32_t size;             /* elements written: rows*cols, or the number of nonzeros */
  const uint32_t* col_start; /* NULL when dense; else cols+1 offsets into row, compressed columns */
  const uint32_t* row;       /* NULL when dense; else the row of each nonzero */
} klingel_output;

typedef struct klingel_stage {
  const char* name; /* "position" */
  klingel_call* call;
  const void* context;
  uint32_t rare; /* 1: only functions marked rare need it */
} klingel_stage;

typedef struct klingel_function {
  const char* name;
  const char* about; /* one line, may be empty */
  uint32_t stage;    /* the last stage it needs */
  uint32_t n_outputs;
  const klingel_output* outputs;
  klingel_call* call;
  const void* context;
  uint32_t rare; /* 1: seldom called, needs rare stages, too */
} klingel_function;

typedef struct klingel_kernel {
  uint32_t abi;   /* KLINGEL_ABI of the producer; always the first member */
  uint32_t lanes; /* doubles per element: 1, 4 or 8 */
  const char* model;
  const char* hash;        /* sha256 of the program, hexadecimal */
  uint32_t workspace_size; /* elements */
  uint32_t n_inputs, n_stages, n_functions;
  const klingel_input* inputs;
  const klingel_stage* stages;
  const klingel_function* functions;
} klingel_kernel;

/* Generated C for a model "pendulum" exports one function: const klingel_kernel
 * *pendulum_kernel(void); */
typedef const klingel_kernel* klingel_kernel_entry(void);

#ifdef __cplusplus
}
#endif

#endif
