// Registers for a straight line, and its machine code, in one walk over the instructions.
//
// Belady's rule: when all registers are taken, the value needed farthest in the future leaves; the
// line contains its next use. A value without a home in memory gets a slot of the frame then.
// Operands in memory are read by the instruction itself unless they are needed again soon.
#pragma once

#include <cstddef>

#include "exec/machine_code.hpp"

namespace klingel::exec {

// Adds a body to the code; its offset there.
std::size_t compile_body(const Line& line, unsigned lanes, MachineCode& code);

}  // namespace klingel::exec
