// The entry of this room: a program becomes kernels that run in this process.
#pragma once

#include <filesystem>
#include <string>

#include "exec/kernel.hpp"
#include "gen/program.hpp"

namespace klingel::exec {

// Loads the kernels of a program with the requested back end. Backend::automatic takes the
// just-in-time compiler, whose code is the fastest; where it does not work, or if contraction is
// asked for, the system's C compiler; where that does not work either, the interpreter, and the
// note says why. Asking for cc where it cannot be had is an Error with the end of the compiler's
// output, asking for jit one with the reason. The kernel does not need program and graph
// afterwards.
Kernel load(const gen::Program& program, const Options& options = {});

// Loads a library that was compiled from emitted C. An Error if it is damaged, was made for
// another ABI, or does not hold this model. It is loaded from a copy: the file may be replaced or
// removed meanwhile.
Kernel open_library(const std::filesystem::path& path, const std::string& model);

}  // namespace klingel::exec
