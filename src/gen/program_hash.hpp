// The name of a program: equal for kernels of all back ends that compute the same in the same way,
// different when anything of it changes. It does not need the C text, which takes longer to print
// than all the rest of compiling in memory.
#pragma once

#include <string>

#include "gen/manifest.hpp"

namespace klingel::gen {

// sha256, hexadecimal, of the manifest (but for its own hash) and of every atom, store and slot.
std::string program_hash(const Program& program, const Schedule& schedule,
                         const Manifest& manifest);

}  // namespace klingel::gen
