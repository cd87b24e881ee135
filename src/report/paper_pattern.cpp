#include "report/paper_pattern.hpp"

#include <fmt/format.h>

#include "report/markup.hpp"

namespace klingel::report {

std::uint32_t Pattern::size() const {
  std::uint32_t sum = 0;
  for (const Block& b : blocks) sum += b.size;
  return sum;
}

std::string pattern_svg(const Pattern& p, double dot) {
  constexpr double left = 64, top = 30, margin = 14;
  const double edge = dot * p.size();
  std::string lines, words, dots;
  double at = 0;
  for (const Pattern::Block& b : p.blocks) {
    const double middle = at + dot * b.size / 2;
    words += fmt::format(
        "<text x=\"{:.1f}\" y=\"20\" text-anchor=\"middle\">{}</text><text x=\"{:.1f}\" "
        "y=\"{:.1f}\" text-anchor=\"end\">{} ({})</text>\n",
        left + middle, escaped(b.name), left - 6, top + middle + 4, escaped(b.name), b.size);
    at += dot * b.size;
    if (at < edge - dot / 2)
      lines += fmt::format("M{:.1f} {:.1f}h{:.1f}M{:.1f} {:.1f}v{:.1f}", left, top + at, edge,
                           left + at, top, edge);
  }
  const auto add = [&](double row, double col) {
    dots += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", left + dot * col + 0.1 * dot,
                        top + dot * row + 0.1 * dot, 0.8 * dot, 0.8 * dot, 0.8 * dot);
  };
  for (const auto& [row, col] : p.entries) add(row, col);
  const double apart = edge / dot + 2;
  for (const std::uint32_t row : p.right_side) add(row, apart);
  return svg_document(
      left + edge + 4 * dot + margin, top + edge + margin,
      fmt::format("{}<path fill=\"none\" stroke=\"#c8c8c2\" d=\"{}\"/>\n<path fill=\"none\" "
                  "stroke=\"#55554f\" d=\"M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z\"/>\n<path "
                  "fill=\"#0072b2\" d=\"{}\"/>\n",
                  words, lines, left, top, edge, edge, edge, dots));
}

std::string pattern_csv(const Pattern& p) {
  std::string out = "row,column\n";
  for (const auto& [row, col] : p.entries) out += fmt::format("{},{}\n", row, col);
  for (const std::uint32_t row : p.right_side) out += fmt::format("{},{}\n", row, p.size());
  return out;
}

}  // namespace klingel::report
