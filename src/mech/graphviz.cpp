#include "mech/graphviz.hpp"

#include <fmt/format.h>

#include "sym/print.hpp"

namespace klingel::mech {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// long expressions say little in a drawing
std::string brief(Expr e) {
  const std::string text = sym::text(e, sym::Language::matlab);
  return text.size() > 24 ? "..." : text;
}

std::string components(const Triple& u) {
  return fmt::format("({}, {}, {})", brief(u[0]), brief(u[1]), brief(u[2]));
}

}  // namespace

std::string bases_dot(const Model& m) {
  std::string text =
      fmt::format("digraph {} {{\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];\n",
                  quoted(m.name() + " bases"));
  text += fmt::format("  {};\n", quoted(m.bases()[0].name));
  for (std::size_t b = 1; b < m.bases().size(); ++b) {
    const BaseNode& n = m.bases()[b];
    text += fmt::format("  {} -> {} [label={}];\n", quoted(n.name),
                        quoted(m.bases()[n.parent].name), quoted("w = " + components(n.w_PB)));
  }
  return text + "}\n";
}

std::string points_dot(const Model& m) {
  std::string text = fmt::format(
      "digraph {} {{\n  rankdir=BT;\n  node [shape=ellipse, fontname=\"sans-serif\"];\n",
      quoted(m.name() + " points"));
  text += fmt::format("  {};\n", quoted(m.points()[0].name));
  for (std::size_t p = 1; p < m.points().size(); ++p) {
    const PointNode& n = m.points()[p];
    text +=
        fmt::format("  {} -> {} [label={}];\n", quoted(n.name), quoted(m.points()[n.parent].name),
                    quoted(components(n.r) + " in " + m.bases()[n.base.index].name));
  }
  for (const Body& b : m.bodies()) {
    text += fmt::format(
        "  {} [shape=box, style=filled, fillcolor=lightgrey];\n  {} -> {} [style=dotted, "
        "label={}];\n",
        quoted("body " + b.name), quoted("body " + b.name), quoted(m.points()[b.point.index].name),
        quoted("turns with " + m.bases()[b.base.index].name));
  }
  return text + "}\n";
}

}  // namespace klingel::mech
