// Line charts as SVG text: round ticks, a thin grid, a legend, colours that colour-blind people can
// tell apart, on their own off-white ground so that they can be read on light and dark pages. The
// same plot gives the same bytes. Does not know what is drawn; axes are linear.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace klingel::report {

enum class Style { line, points, dashed };

// Points in the order they are joined. A value that is not finite breaks the line.
struct Series {
  std::string label;  // in the legend; empty: not there
  std::vector<double> x, y;
  Style style = Style::line;
};

struct Plot {
  std::string title, x_label, y_label;  // units belong into the labels
  std::vector<Series> series;
  bool equal_axes = false;  // the same scale along x and y, for shapes
  double width = 760, height = 360;
};

// A whole SVG document. A series whose x and y differ in length is an Error. Series with many more
// points than pixels are thinned: per half pixel the first, lowest, highest and last point stay.
std::string svg(const Plot& plot);

// Several plots below each other in one document.
std::string svg(std::span<const Plot> plots);

}  // namespace klingel::report
