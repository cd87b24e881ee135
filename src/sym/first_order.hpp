// Expressions to first order in small symbols, about zero:
//
//   sin e = e, cos e = 1, e e' = 0       for e, e' that vanish with the small symbols
//   (a + e) e' = a e'                    where that costs less
//
// Sines that others need anyway may stay, and sums such as a + e stay whole. So results may keep
// terms of second order; they are right to first order, and the whole never gets longer. One atom
// stays one atom: a symmetric matrix stays symmetric. What has no first-order expansion (the root,
// the sign or the reciprocal of something that vanishes) is kept as it is.
#pragma once

#include <span>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::sym {

// `kept` are expressions that are computed anyway, and as they are: sharing with them counts.
std::vector<Expr> first_order(std::span<const Expr> list, std::span<const Expr> small,
                              std::span<const Expr> kept = {});

}  // namespace klingel::sym
