// `klingel fmu`: an FMU of FMI 2.0 or 3.0 with a binary for this platform.
#pragma once

#include <filesystem>

#include "packaging/parts.hpp"

namespace klingel::packaging {

struct FmuOptions {
  int version = 2;      // of FMI
  std::string cc, cxx;  // compilers; empty: $CC and $CXX, else cc and c++
};

// All files of the FMU. Compiles the kernels and links them with libklingel_target.a; an Error
// with the end of the compiler's output if that fails. The same parts give the same bytes.
std::vector<gen::File> fmu_files(const Parts& parts, const FmuOptions& options);

}  // namespace klingel::packaging
