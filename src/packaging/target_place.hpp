// Where the compiled runtime of targets is, and what it was compiled for.
#pragma once

#include <filesystem>

namespace klingel::packaging {

extern const char* const target_march;   // "x86-64-v3", or empty
extern const char* const fmi2_platform;  // "linux64"
extern const char* const fmi3_platform;  // "x86_64-linux"

// libklingel_target.a: installed beside the program, or where it was built. An Error if it is in
// neither place.
std::filesystem::path target_archive();

}  // namespace klingel::packaging
