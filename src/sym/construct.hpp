// The rules of algebra, applied each time an atom is made.
//
// Every rule is local (it looks at the operands and their operands), never raises the number of
// operations of the expression, and depends on structure only. There is no expansion, no search.
// Values agree where the plain operation is defined; rounding may differ in the last digits.
//
// C++ leaves the order in which arguments are evaluated open, so a call never has two arguments
// that make atoms: ids would then depend on the compiler.
#pragma once

#include "sym/graph.hpp"

namespace klingel::sym {

Id add(Graph& g, Id a, Id b);
Id sub(Graph& g, Id a, Id b);
Id mul(Graph& g, Id a, Id b);
Id div(Graph& g, Id a, Id b);  // b = 0 is an input error
Id neg(Graph& g, Id a);
Id twice(Graph& g, Id a);
Id pow(Graph& g, Id a, Id b);
Id unary(Graph& g, Op op, Id a);
Id binary(Graph& g, Op op, Id a, Id b);

// The node `id` rebuilt with other operands (b is ignored for unary operations).
Id rebuild(Graph& g, Id id, Id a, Id b);

}  // namespace klingel::sym
