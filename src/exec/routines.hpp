// Functions no instruction computes, as machine code calls them: lane by lane what the interpreter
// evaluates.
#pragma once

#include "sym/op.hpp"

namespace klingel::exec {

// to[l] = op(a[l], b[l]) on one lane or on four; b is not read by functions of one argument.
using Routine = void(const double* a, const double* b, double* to);
Routine* routine_of(sym::Op op, unsigned lanes);

}  // namespace klingel::exec
