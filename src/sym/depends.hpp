// Which symbols an expression depends on.
#pragma once

#include <span>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::sym {

// The symbols below the expressions, in the order of their declaration.
std::vector<Expr> symbols_below(std::span<const Expr> expressions);
std::vector<Expr> symbols_below(Expr expression);

// Structural dependence: x appears below e (e might still be constant in x, as in x/x before
// rules).
bool depends_on(Expr e, Expr x);
// Any symbol of this role below e; constant time.
bool depends_on(Expr e, SymbolKind kind);

}  // namespace klingel::sym
