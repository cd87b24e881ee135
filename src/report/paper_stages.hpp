// Boxes with arrows between them, from top to bottom, in columns: stages of a program of kernels,
// or parts of a step.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace klingel::report {

struct DrawnBox {
  std::string name, note;          // in one line; the note is what it is given, or how long
  std::vector<std::string> lines;  // wrapped where they are too long
};

struct DrawnColumn {
  std::string title;
  std::vector<DrawnBox> boxes;
};

// Columns side by side, each `width` pixels wide.
std::string boxes_svg(std::span<const DrawnColumn> columns, double width);

}  // namespace klingel::report
