#include "examples/00_expressions/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace klingel::examples {
namespace {

constexpr double panel_width = 520, panel_height = 400;
constexpr double left = 72, right = 24, top = 74, bottom = 58;  // around the axes of a panel

// Round steps so that about `wanted` ticks cover the range: 1, 2 or 5 times a power of ten.
double tick_step(double range, int wanted) {
  const double rough = range / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

// One axis: the values it shows and where they go.
struct Axis {
  double low, high, step, from, to;  // from, to: pixels of low and high

  static Axis around(const std::vector<Curve>& curves, std::vector<double> Curve::*values,
                     double from, double to, int ticks) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Curve& c : curves) {
      for (const double v : c.*values) {
        low = std::min(low, v);
        high = std::max(high, v);
      }
    }
    if (!(high > low)) high = low + 1;
    const double step = tick_step(high - low, ticks);
    return {std::floor(low / step) * step, std::ceil(high / step) * step, step, from, to};
  }

  double pixel(double v) const { return from + (v - low) / (high - low) * (to - from); }

  std::vector<double> ticks() const {
    std::vector<double> values;
    const int count = static_cast<int>(std::round((high - low) / step));
    // steps counted from a whole number: 0 is exactly 0
    const double first = std::round(low / step);
    for (int k = 0; k <= count; ++k) values.push_back((first + k) * step);
    return values;
  }
};

std::string text(double x, double y, const char* style, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, words);
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string polyline(const Curve& c, const Axis& x, const Axis& y) {
  std::string points;
  for (std::size_t i = 0; i < c.x.size(); ++i)
    points += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", x.pixel(c.x[i]), y.pixel(c.y[i]));
  return fmt::format(
      "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} points=\"{}\"/>\n", c.colour,
      c.dashed ? 1.3 : 2.0, c.dashed ? " stroke-dasharray=\"6 4\"" : "", points);
}

std::string panel_text(const Panel& panel) {
  const double x0 = left, x1 = panel_width - right, y0 = panel_height - bottom, y1 = top;
  const Axis x = Axis::around(panel.curves, &Curve::x, x0, x1, 6);
  const Axis y = Axis::around(panel.curves, &Curve::y, y0, y1, 6);
  constexpr const char* grid = "stroke=\"#e3e3e3\"";
  constexpr const char* zero = "stroke=\"#b0b0b0\"";

  // grid and numbers
  std::string out = text(x0, 26, "font-size=\"16\" font-weight=\"bold\"", panel.title);
  for (const double v : x.ticks()) {
    out += line(x.pixel(v), y0, x.pixel(v), y1, v == 0 && x.low < 0 ? zero : grid);
    out += text(x.pixel(v), y0 + 18, "text-anchor=\"middle\"", fmt::format("{:g}", v));
  }
  for (const double v : y.ticks()) {
    out += line(x0, y.pixel(v), x1, y.pixel(v), v == 0 && y.low < 0 ? zero : grid);
    out += text(x0 - 8, y.pixel(v) + 4, "text-anchor=\"end\"", fmt::format("{:g}", v));
  }

  // curves, frame, labels
  for (const Curve& c : panel.curves) out += polyline(c, x, y);
  out += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#606060\"/>\n", x0,
      y1, x1 - x0, y0 - y1);
  out += text((x0 + x1) / 2, panel_height - 14, "text-anchor=\"middle\"", panel.x_label);
  out += fmt::format(
      "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (y0 + y1) / 2, panel.y_label);

  // legend above the frame
  double at = x0;
  for (const Curve& c : panel.curves) {
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"52\" x2=\"{1:.1f}\" y2=\"52\" stroke=\"{2}\" "
        "stroke-width=\"2\"{3}/>\n",
        at, at + 26, c.colour, c.dashed ? " stroke-dasharray=\"6 4\"" : "");
    out += text(at + 32, 56, "", c.name);
    at += 54 + 7.0 * static_cast<double>(c.name.size());
  }
  return out;
}

}  // namespace

std::string svg(std::span<const Panel> panels) {
  const double width = panel_width * static_cast<double>(panels.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\"\n     font-family=\"sans-serif\" font-size=\"13\" fill=\"#202020\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, panel_height);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    out += fmt::format("<g transform=\"translate({} 0)\">\n{}</g>\n",
                       panel_width * static_cast<double>(i), panel_text(panels[i]));
  }
  return out + "</svg>\n";
}

}  // namespace klingel::examples
