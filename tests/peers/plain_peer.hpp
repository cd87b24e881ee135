// M and c straight from the definition, in long double: per-body Jacobians and Newton-Euler.
// Slow and short; the arbiter when two libraries differ, and the peer that needs nothing installed.

#pragma once

#include "tree.hpp"

namespace klingel::peers {

// n = coordinate_count(tree). M: n*n doubles, column by column; c: n doubles.
// Throws std::invalid_argument if the tree is malformed.
void evaluate_plain(const Tree& tree, const double* q, const double* dq, double* M, double* c);

}  // namespace klingel::peers
