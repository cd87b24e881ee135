// A program of kernels as a diagram: its stages from top to bottom, what each is given and which
// functions can be asked for once it is up to date.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace klingel::report {

struct DrawnStage {
  std::string name;
  std::vector<std::string> inputs;     // "q (30)"
  std::vector<std::string> functions;  // "solve: the implicit step"
  std::size_t operations = 0;          // of the stage itself
};

struct DrawnProgram {
  std::string name;
  std::vector<DrawnStage> stages;
};

// Programs side by side.
std::string stages_svg(std::span<const DrawnProgram> programs);

}  // namespace klingel::report
