// `klingel export`: a folder with a model in C and C++ that builds without Klingel.
#pragma once

#include <filesystem>

#include "packaging/parts.hpp"

namespace klingel::packaging {

struct PackageOptions {
  bool embed = false;  // data as C arrays: no file access on the target
  int selftest_steps = 5000;
};

// All files with their paths in the folder. The same parts give the same bytes.
std::vector<gen::File> package_files(const Parts& parts, const PackageOptions& options);
// The model's own C: the package's table, kernels, embedded data; used by FMUs, too.
std::vector<gen::File> model_files(const Parts& parts, bool embed);
std::vector<std::string> model_sources(const Parts& parts, bool embed);

}  // namespace klingel::packaging
