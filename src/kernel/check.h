/* Checks of a kernel table before it is used: ABI version, pointers, and sizes the caller relies
 * on. Plain C without allocation, for both towers. */
#ifndef KLINGEL_KERNEL_CHECK_H
#define KLINGEL_KERNEL_CHECK_H

#include <stddef.h>

#include "kernel/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each returns 0 when fine. Otherwise 1, and a sentence for the user is written to message (always
 * terminated; cut at size). */

/* The table itself: version, null pointers, stage indices, sparsity in range. */
int klingel_kernel_check(const klingel_kernel* k, char* message, size_t size);

/* The input array `name` exists and has `count` elements. */
int klingel_input_check(const klingel_kernel* k, const char* name, uint32_t count, char* message,
                        size_t size);

/* The function exists and its output has this shape. */
int klingel_output_check(const klingel_kernel* k, const char* function, const char* output,
                         uint32_t rows, uint32_t cols, char* message, size_t size);

/* Index of the named input or function, or -1. */
int klingel_find_input(const klingel_kernel* k, const char* name);
int klingel_find_function(const klingel_kernel* k, const char* name);

#ifdef __cplusplus
}
#endif

#endif
