// Machine code of a straight line, in one walk over its instructions (registers:
// register_file.hpp).
#pragma once

#include <cstddef>

#include "exec/machine_code.hpp"

namespace klingel::exec {

// Adds a body to the code; its offset there.
std::size_t compile_body(const Line& line, unsigned lanes, MachineCode& code);

}  // namespace klingel::exec
