// A chart of horizontal bars as SVG text: names on the left, values to both sides of zero. Colours
// and ground as in plot.hpp.
#pragma once

#include <string>
#include <vector>

namespace klingel::report {

struct Bar {
  std::string name;
  double value = 0;
};

struct Bars {
  std::string title, label;  // label: of the values, with their unit
  std::vector<Bar> bars;     // from the top
  double width = 760;
};

// A whole SVG document. A value that is not finite is an Error.
std::string svg(const Bars& bars);

}  // namespace klingel::report
