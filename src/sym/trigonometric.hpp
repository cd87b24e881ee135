// Trigonometric simplification of a list of expressions, together because they share atoms:
//
//   K sin^2 a + K cos^2 a = K               vectors turned forth and back: "expressed in the wrong
//                                           base", as the article's reference has it
//   sin a cos b + cos a sin b = sin(a + b)  and the three like it, where a pair of angles pays: for
//                                           angles that only appear as sums
//
// A sum is multiplied out as far as these need it (terms.hpp), and what comes out takes its place
// if that costs less time and not more operations, sharing taken into account (live_atoms.hpp).
// So the whole never grows. Values change by rounding only.
#pragma once

#include <span>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::sym {

std::vector<Expr> simplify_trigonometric(std::span<const Expr> list);

}  // namespace klingel::sym
