// The Jacobian of a list of expressions by a list of symbols.
#pragma once

#include <span>

#include "sym/matrix.hpp"

namespace klingel::sym {

enum class JacobianMode {
  automatic,  // whichever touches fewer atoms
  forward,    // column by column, shares memo tables with derivative()
  reverse,    // row by row, adjoints from the expression down to the symbols
};

// Sparse: only entries that are not identically zero.
Matrix jacobian(std::span<const Expr> list, std::span<const Expr> symbols,
                JacobianMode mode = JacobianMode::automatic);

}  // namespace klingel::sym
