// The files every package carries: our sources that run on a target (target/SOURCES), with what
// stands for other libraries there.
#pragma once

#include <string>
#include <vector>

#include "gen/emit_c.hpp"

namespace klingel::packaging {

struct TargetFiles {
  std::vector<gen::File> files;      // "src/step/step.cpp", "klingel.h", headers included
  std::vector<std::string> sources;  // those of them that are compiled
};

// For a mechanism or a vehicle; without the functions of FMI unless they are wanted. An Error if
// the shipped sources are not found.
TargetFiles target_files(bool mechanism, bool with_fmi = false);

// klingel.h.
gen::File interface_file();

// Whether a source is part of what a time step runs through; the others need not be optimised.
bool is_hot(const std::string& source);

}  // namespace klingel::packaging
