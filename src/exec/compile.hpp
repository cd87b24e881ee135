// The system's C compiler: which one it is, and emitted C turned into a shared library by it.
#pragma once

#include <string>
#include <vector>

#include "exec/backend.hpp"

namespace klingel::exec {

struct Compiler {
  std::vector<std::string> command;  // the program, with arguments if $CC has some
  std::vector<std::string> flags;    // ours and those of the options
  std::string identity;  // everything its results depend on: program, version, target, processor

  // The compiler of the options; an Error if it cannot be found or does not run.
  static Compiler find(const Options& options);
};

// Compiles all sources, `jobs` at a time (0: one per hardware thread), in a folder of their own.
// The bytes of the library depend on the emitted files and the compiler only. An Error with the
// end of the compiler's output if it fails.
std::string build_library(const Compiler& compiler, const gen::Emitted& emitted, unsigned jobs);

}  // namespace klingel::exec
