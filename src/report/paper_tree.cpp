#include "report/paper_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "report/markup.hpp"

namespace klingel::report {
namespace {

constexpr double line = 19, tree_margin = 14, gap = 34;

std::vector<std::size_t> levels(std::span<const TreeNode> nodes) {
  std::vector<std::size_t> level(nodes.size(), 0);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    KLINGEL_ASSERT(nodes[i].parent < i);
    level[i] = level[nodes[i].parent] + 1;
  }
  return level;
}

// the part of a dotted name that its parent does not have already
std::string own_name(std::span<const TreeNode> nodes, std::size_t i) {
  const std::string &name = nodes[i].name, &above = nodes[nodes[i].parent].name;
  const std::size_t dot = above.rfind('.');
  const std::string group = dot == std::string::npos ? "" : above.substr(0, dot + 1);
  const bool inside = i > 0 && !group.empty() && name.starts_with(group);
  return inside ? name.substr(group.size()) : name;
}

}  // namespace

std::size_t depth(std::span<const TreeNode> nodes) {
  const std::vector<std::size_t> level = levels(nodes);
  return level.empty() ? 0 : *std::max_element(level.begin(), level.end());
}

std::string tree_svg(std::span<const TreeNode> nodes) {
  const std::vector<std::size_t> level = levels(nodes);
  std::vector<std::vector<std::size_t>> children(nodes.size());
  for (std::size_t i = 1; i < nodes.size(); ++i) children[nodes[i].parent].push_back(i);

  // columns as wide as their longest name
  std::vector<double> width(depth(nodes) + 1, 0), left(width.size() + 1, tree_margin);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    words.push_back(own_name(nodes, i));
    width[level[i]] = std::max(width[level[i]], text_width(words[i]) + 12);
  }
  for (std::size_t k = 0; k < width.size(); ++k) left[k + 1] = left[k] + width[k] + gap;

  // leaves take lines in the order of a walk, others the middle of their children
  std::vector<double> y(nodes.size(), 0);
  double next = tree_margin + line / 2;
  const auto place = [&](const auto& self, std::size_t i) -> void {
    if (children[i].empty()) {
      y[i] = next;
      next += line;
      return;
    }
    for (const std::size_t c : children[i]) self(self, c);
    y[i] = (y[children[i].front()] + y[children[i].back()]) / 2;
  };
  if (!nodes.empty()) place(place, 0);

  std::string edges, boxes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double x = left[level[i]], w = text_width(words[i]) + 12;
    if (i > 0) {
      const std::size_t p = nodes[i].parent;
      const double from = left[level[p]] + text_width(words[p]) + 12;
      edges += fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from, y[p],
                           x - gap / 2, y[p], x - gap / 2, y[i], x, y[i]);
    }
    boxes += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"16\" rx=\"4\" fill=\"{}\" "
        "stroke=\"#8aa\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, y[i] - 8, w, nodes[i].marked ? "#cfe6f5" : "#ffffff", x + 6, y[i] + 4,
        escaped(words[i]));
  }
  return svg_document(
      left.back() - gap + tree_margin, next - line / 2 + tree_margin,
      fmt::format("<path fill=\"none\" stroke=\"#99a\" d=\"{}\"/>\n{}", edges, boxes));
}

}  // namespace klingel::report
