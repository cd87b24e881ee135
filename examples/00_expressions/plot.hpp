// Curves in panels side by side, as one self-contained SVG text.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace klingel::examples {

struct Curve {
  std::string name;  // shown in the legend
  std::vector<double> x, y;
  std::string colour = "#1f5fa8";
  bool dashed = false;
};

struct Panel {
  std::string title, x_label, y_label;  // labels with units
  std::vector<Curve> curves;
};

std::string svg(std::span<const Panel> panels);

}  // namespace klingel::examples
