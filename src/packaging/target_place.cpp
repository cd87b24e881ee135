// KLINGEL_TARGET_* are defined by CMake for this file alone.
#include "packaging/target_place.hpp"

#include "base/error.hpp"

namespace klingel::packaging {

const char* const target_march = KLINGEL_TARGET_MARCH;
#if defined(__aarch64__)
const char* const fmi2_platform = "aarch64-linux";
const char* const fmi3_platform = "aarch64-linux";
#else
const char* const fmi2_platform = "linux64";
const char* const fmi3_platform = "x86_64-linux";
#endif

std::filesystem::path target_archive() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  for (const fs::path& place :
       {program.parent_path() / KLINGEL_TARGET_INSTALLED, fs::path(KLINGEL_TARGET_BUILT)}) {
    if (fs::exists(place, none)) return fs::canonical(place);
  }
  base::fail("'libklingel_target.a' is not installed: expected {} beside the program",
             KLINGEL_TARGET_INSTALLED);
}

}  // namespace klingel::packaging
