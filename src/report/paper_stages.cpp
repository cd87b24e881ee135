#include "report/paper_stages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/markup.hpp"

namespace klingel::report {
namespace {

constexpr double width = 560, margin = 14, row = 16, between = 22;

// words that end before they leave the box
std::string shortened(const std::string& words, double pixels) {
  if (text_width(words) <= pixels) return words;
  std::size_t keep = static_cast<std::size_t>(pixels / 7.2) - 1;
  // not within a UTF-8 character
  while (keep > 0 && (static_cast<unsigned char>(words[keep]) & 0xc0) == 0x80) --keep;
  return words.substr(0, keep) + "…";
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
  return out;
}

}  // namespace

std::string stages_svg(std::span<const DrawnProgram> programs) {
  std::string out;
  double x = margin, lowest = 0;
  for (const DrawnProgram& p : programs) {
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
                    x, escaped(p.name));
    double y = 38;
    for (std::size_t k = 0; k < p.stages.size(); ++k) {
      const DrawnStage& s = p.stages[k];
      const double height = row * static_cast<double>(2 + s.functions.size()) + 10;
      if (k > 0) {
        const double middle = x + 40;
        out += fmt::format(
            "<path fill=\"none\" stroke=\"#55554f\" d=\"M{0:.1f} {1:.1f}V{2:.1f}m-4 -6l4 6l4 "
            "-6\"/>\n",
            middle, y - between, y);
      }
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"5\" "
          "fill=\"#eef4f8\" stroke=\"#8aa\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\"><tspan "
          "font-weight=\"600\">{}</tspan>  {} operations</text>\n<text x=\"{:.1f}\" y=\"{:.1f}\" "
          "fill=\"#666\">{}</text>\n",
          x, y, width, height, x + 8, y + row, escaped(s.name), s.operations, x + 8, y + 2 * row,
          escaped(shortened("given: " + joined(s.inputs), width - 16)));
      for (std::size_t i = 0; i < s.functions.size(); ++i)
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#0a5a8a\">{}</text>\n", x + 20,
                           y + row * static_cast<double>(3 + i),
                           escaped(shortened(s.functions[i], width - 28)));
      y += height + between;
    }
    lowest = std::max(lowest, y - between);
    x += width + 2 * margin;
  }
  return svg_document(x - margin, lowest + margin, out);
}

}  // namespace klingel::report
