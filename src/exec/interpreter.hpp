// The interpreter: kernels without a compiler. Every body of the schedule, a stage or a function,
// becomes one register tape behind an entry of the kernel table.
#pragma once

#include <memory>

#include "gen/manifest.hpp"
#include "kernel/abi.h"

namespace klingel::exec {

// The table of the program; it needs neither the program nor its graph afterwards, never changes,
// and may be used by many threads at once, each with its own workspace. Names, shapes and hash are
// those of the manifest; the workspace is larger than that of compiled kernels, because registers
// live there too.
std::shared_ptr<const klingel_kernel> interpret(const gen::Program& program,
                                                const gen::Manifest& manifest);

}  // namespace klingel::exec
