// The just-in-time compiler: kernels in milliseconds, without leaving the process. Every body of
// the schedule becomes machine code behind an entry of the kernel table.
#pragma once

#include <memory>
#include <string>

#include "gen/manifest.hpp"
#include "kernel/abi.h"

namespace klingel::exec {

// Why there is no such compiler here, as a sentence; empty if there is one.
std::string jit_refusal();

// The table of the program; it needs neither program nor graph afterwards, never changes, and may
// be used by many threads at once. `options` are those the manifest was made with. The workspace is
// laid out as compiled C does it, unless equal parts are computed side by side (equal_atoms.hpp) or
// units of a train share their code (repeated_units.hpp). An Error where there is no such compiler.
std::shared_ptr<const klingel_kernel> compile_in_memory(const gen::Program& program,
                                                        const gen::Manifest& manifest,
                                                        const gen::ScheduleOptions& options);

}  // namespace klingel::exec
