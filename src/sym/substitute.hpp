// Substitution on atoms: replaces atoms by expressions and rebuilds the expressions that contain
// them, through the rules of construction. Simultaneous: replacements are not replaced again.
// Memoised per set of replacements.
#pragma once

#include <span>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::sym {

struct Replacement {
  Expr atom;  // a symbol or any other atom that is not a number
  Expr by;
};

Expr substitute(Expr e, std::span<const Replacement> replacements);
std::vector<Expr> substitute(std::span<const Expr> list, std::span<const Replacement> replacements);

}  // namespace klingel::sym
