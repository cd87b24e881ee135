// The order of the instructions of a line: which of them a processor can begin while others wait.
//
// The schedule computes an atom when it is first needed, each just before its user: good for
// registers, but a chain of operations that all wait for the one before. Processors look ahead, by
// some hundred instructions at most; independent ones must be near. A list schedule moves them up.
#pragma once

#include "exec/straight_line.hpp"

namespace klingel::exec {

// Values and results stay the same, so do the bits. Slots of cuts are given up (Line::Value::cut).
void order_instructions(Line& line);

}  // namespace klingel::exec
