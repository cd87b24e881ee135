// From files to a vehicle that runs: reads vehicle, track, profiles and scenario, derives the
// equations and compiles them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "klingel/simulation.hpp"

#ifdef KLINGEL_INSTALLED_DATA
// Where this installation has its vehicles, tracks and profiles: find_package(klingel) says it to
// the program, and the program to the library.
extern "C" [[gnu::used]] inline const char* klingel_installed_data() {
  return KLINGEL_INSTALLED_DATA;
}
#endif

namespace klingel {

struct LoadOptions {
  std::string backend = "automatic";  // or interpreter, jit, cc
  std::string track;                  // another one: a file or a shipped name
  // Parameters of the vehicle, by full name: a number or a formula. Unlike set_parameter these may
  // change what is derived, a train's number of coaches for one.
  std::vector<std::pair<std::string, std::string>> parameters;
};

// A vehicle or a scenario: a file, the folder of a vehicle, or a shipped name. Mistakes in files
// are std::runtime_errors with file, line and column. Not started yet.
Simulation load(const std::string& what, const LoadOptions& options = {});

// Vehicles like that side by side on lanes (4 or 8), all at the start of the scenario.
Batch load_batch(const std::string& what, std::size_t lanes = 4, const LoadOptions& options = {});

// Version of the library, "0.1.0".
std::string version();

}  // namespace klingel
