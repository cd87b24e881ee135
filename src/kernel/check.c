#include "kernel/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int fail(char* message, size_t size, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message, size, format, args);
  va_end(args);
  return 1;
}

static int output_is_wrong(const klingel_output* o) {
  uint32_t c, i;
  if (o->name == NULL) return 1;
  if (o->col_start == NULL) return o->size != (uint64_t)o->rows * o->cols;
  if (o->row == NULL || o->col_start[0] != 0 || o->col_start[o->cols] != o->size) return 1;
  for (c = 0; c < o->cols; ++c) {
    if (o->col_start[c] > o->col_start[c + 1]) return 1;
  }
  for (i = 0; i < o->size; ++i) {
    if (o->row[i] >= o->rows) return 1;
  }
  return 0;
}

int klingel_kernel_check(const klingel_kernel* k, char* message, size_t size) {
  uint32_t i, j;
  if (k == NULL) return fail(message, size, "there is no kernel table");
  /* nothing but the first member may be read before the version is known */
  if (k->abi != KLINGEL_ABI) {
    return fail(message, size,
                "the kernels were made for ABI %u, this program needs ABI %u; generate them again",
                (unsigned)k->abi, KLINGEL_ABI);
  }
  if (k->model == NULL || k->hash == NULL)
    return fail(message, size, "the kernel table has no model name or hash");
  if (k->lanes != 1 && k->lanes != 4 && k->lanes != 8)
    return fail(message, size, "the kernels of '%s' run on %u lanes, expected 1, 4 or 8", k->model,
                (unsigned)k->lanes);
  if ((k->n_inputs != 0 && k->inputs == NULL) || (k->n_stages != 0 && k->stages == NULL) ||
      (k->n_functions != 0 && k->functions == NULL)) {
    return fail(message, size, "the kernel table of '%s' has a null list", k->model);
  }
  for (i = 0; i < k->n_inputs; ++i) {
    const klingel_input* in = &k->inputs[i];
    if (in->name == NULL || in->stage >= k->n_stages ||
        (in->size != 0 && (in->names == NULL || in->nominal == NULL))) {
      return fail(message, size, "input %u of '%s' is damaged", (unsigned)i, k->model);
    }
  }
  for (i = 0; i < k->n_stages; ++i) {
    if (k->stages[i].name == NULL || k->stages[i].call == NULL) {
      return fail(message, size, "stage %u of '%s' is damaged", (unsigned)i, k->model);
    }
  }
  for (i = 0; i < k->n_functions; ++i) {
    const klingel_function* f = &k->functions[i];
    if (f->name == NULL || f->call == NULL || f->stage >= k->n_stages || f->outputs == NULL) {
      return fail(message, size, "function %u of '%s' is damaged", (unsigned)i, k->model);
    }
    for (j = 0; j < f->n_outputs; ++j) {
      if (output_is_wrong(&f->outputs[j])) {
        return fail(message, size, "output %u of function '%s' of '%s' is damaged", (unsigned)j,
                    f->name, k->model);
      }
    }
  }
  return 0;
}

int klingel_find_input(const klingel_kernel* k, const char* name) {
  uint32_t i;
  for (i = 0; i < k->n_inputs; ++i) {
    if (strcmp(k->inputs[i].name, name) == 0) return (int)i;
  }
  return -1;
}

int klingel_find_function(const klingel_kernel* k, const char* name) {
  uint32_t i;
  for (i = 0; i < k->n_functions; ++i) {
    if (strcmp(k->functions[i].name, name) == 0) return (int)i;
  }
  return -1;
}

int klingel_input_check(const klingel_kernel* k, const char* name, uint32_t count, char* message,
                        size_t size) {
  const int i = klingel_find_input(k, name);
  if (i < 0) return fail(message, size, "the kernels of '%s' have no input '%s'", k->model, name);
  if (k->inputs[i].size != count) {
    return fail(message, size, "input '%s' of '%s' has %u elements, expected %u", name, k->model,
                (unsigned)k->inputs[i].size, (unsigned)count);
  }
  return 0;
}

int klingel_output_check(const klingel_kernel* k, const char* function, const char* output,
                         uint32_t rows, uint32_t cols, char* message, size_t size) {
  const int i = klingel_find_function(k, function);
  uint32_t j;
  if (i < 0)
    return fail(message, size, "the kernels of '%s' have no function '%s'", k->model, function);
  for (j = 0; j < k->functions[i].n_outputs; ++j) {
    const klingel_output* o = &k->functions[i].outputs[j];
    if (strcmp(o->name, output) != 0) continue;
    if (o->rows == rows && o->cols == cols) return 0;
    return fail(message, size, "output '%s' of function '%s' of '%s' is %u x %u, expected %u x %u",
                output, function, k->model, (unsigned)o->rows, (unsigned)o->cols, (unsigned)rows,
                (unsigned)cols);
  }
  return fail(message, size, "function '%s' of '%s' has no output '%s'", function, k->model,
              output);
}
