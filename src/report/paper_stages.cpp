#include "report/paper_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/markup.hpp"

namespace klingel::report {
namespace {

constexpr double margin = 14, row = 16, between = 22, indent = 20;

// Lines of at most so many pixels, broken between words.
std::vector<std::string> wrapped(const std::string& words, double pixels) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (!line.empty() && text_width(line + " " + word) > pixels)
      lines.push_back(std::exchange(line, ""));
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace

std::string boxes_svg(std::span<const DrawnColumn> columns, double width) {
  std::string out;
  double x = margin, lowest = 0;
  for (const DrawnColumn& c : columns) {
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
                    x, escaped(c.title));
    double y = 38;
    for (std::size_t k = 0; k < c.boxes.size(); ++k) {
      const DrawnBox& b = c.boxes[k];
      std::vector<std::pair<double, std::string>> lines;  // from the left, words
      for (const std::string& words : b.lines) {
        double from = indent;
        for (const std::string& line : wrapped(words, width - indent - 30)) {
          lines.emplace_back(from, line);
          from = indent + 14;
        }
      }
      const double height = row * static_cast<double>(1 + lines.size()) + 10;
      if (k > 0) {
        out += fmt::format(
            "<path fill=\"none\" stroke=\"#55554f\" d=\"M{0:.1f} {1:.1f}V{2:.1f}m-4 -6l4 6l4 "
            "-6\"/>\n",
            x + 40, y - between, y);
      }
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"5\" "
          "fill=\"#eef4f8\" stroke=\"#8aa\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\"><tspan "
          "font-weight=\"600\">{}</tspan><tspan fill=\"#666\" dx=\"8\">{}</tspan></text>\n",
          x, y, width, height, x + 8, y + row, escaped(b.name), escaped(b.note));
      for (std::size_t i = 0; i < lines.size(); ++i)
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#0a5a8a\">{}</text>\n",
                           x + lines[i].first, y + row * static_cast<double>(2 + i),
                           escaped(lines[i].second));
      y += height + between;
    }
    lowest = std::max(lowest, y - between);
    x += width + 2 * margin;
  }
  return svg_document(x - margin, lowest + margin, out);
}

}  // namespace klingel::report
