// The partial derivative of one operation by one of its operands, as an atom.
#pragma once

#include "sym/graph.hpp"

namespace klingel::sym {

// d(node)/d(operand), operand 0 or 1. The node must be an operation.
Id partial(Graph& g, Id node, int operand);

}  // namespace klingel::sym
