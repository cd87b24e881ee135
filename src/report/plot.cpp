#include "report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "report/axis.hpp"
#include "report/markup.hpp"

namespace klingel::report {
namespace {

// after Okabe and Ito, without the yellow that vanishes on white
constexpr std::string_view line_colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#56b4e9", "#e69f00", "#444444"};
constexpr double left = 78, right = 22, bottom = 52, legend_row = 19;

std::string_view colour(std::size_t k) { return line_colours[k % std::size(line_colours)]; }

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return !(low <= high); }
};

bool drawable(const Series& s, std::size_t i) {
  return std::isfinite(s.x[i]) && std::isfinite(s.y[i]);
}

struct Point {
  double x, y;  // pixels
};

// Drops points of one unbroken stretch that would not be visible. Neighbours in the same half pixel
// of x form a cell; its first, lowest, highest and last point stay, in their order.
std::vector<Point> thinned(const std::vector<Point>& points, double width) {
  if (static_cast<double>(points.size()) <= 4 * width) return points;
  std::vector<Point> kept;
  const auto cell = [](const Point& p) { return std::floor(2 * p.x); };
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    std::size_t low = begin, high = begin;
    for (end = begin; end < points.size() && cell(points[end]) == cell(points[begin]); ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    std::size_t wanted[] = {begin, std::min(low, high), std::max(low, high), end - 1};
    for (std::size_t k = 0; k < 4; ++k)
      if (k == 0 || wanted[k] != wanted[k - 1]) kept.push_back(points[wanted[k]]);
  }
  return kept;
}

// The unbroken stretches of a series, in pixels.
std::vector<std::vector<Point>> stretches(const Series& s, const Axis& x, const Axis& y) {
  std::vector<std::vector<Point>> found;
  bool open = false;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const bool good = drawable(s, i);
    if (good && !open) found.emplace_back();
    if (good) found.back().push_back({x.pixel(s.x[i]), y.pixel(s.y[i])});
    open = good;
  }
  for (std::vector<Point>& points : found) points = thinned(points, std::abs(x.to - x.from));
  return found;
}

// A stretch of one point is a dot in every style.
std::string drawn(const Series& s, std::size_t k, const Axis& x, const Axis& y) {
  std::string dots, lines;
  for (const std::vector<Point>& points : stretches(s, x, y)) {
    if (s.style == Style::points || points.size() == 1) {
      for (const Point& p : points)
        dots += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.4\"/>\n", p.x, p.y);
      continue;
    }
    char command = 'M';
    for (const Point& p : points) {
      lines += fmt::format("{}{:.2f} {:.2f}", command, p.x, p.y);
      command = 'L';
    }
  }
  std::string out;
  if (!dots.empty()) out += fmt::format("<g fill=\"{}\">\n{}</g>\n", colour(k), dots);
  if (!lines.empty()) {
    out += fmt::format(
        "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{} "
        "d=\"{}\"/>\n",
        colour(k), s.style == Style::dashed ? " stroke-dasharray=\"6 4\"" : "", lines);
  }
  return out;
}

struct Legend {
  std::string text;
  double height = 0;
};

// Samples and labels in rows from (left, y), wrapped at the plot's width.
Legend legend(const Plot& plot, double y) {
  Legend out;
  double x = left;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const Series& s = plot.series[k];
    if (s.label.empty()) continue;
    const double width = 30 + text_width(s.label) + 16;
    if (x > left && x + width > plot.width - right + 16) {
      x = left;
      out.height += legend_row;
    }
    const double middle = y + out.height;
    if (s.style == Style::points) {
      out.text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.8\" fill=\"{}\"/>\n",
                              x + 12, middle, colour(k));
    } else {
      out.text += fmt::format(
          "<path stroke=\"{}\" stroke-width=\"2\"{} d=\"M{:.1f} {:.1f}h24\"/>\n", colour(k),
          s.style == Style::dashed ? " stroke-dasharray=\"6 4\"" : "", x, middle);
    }
    out.text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 30, middle + 4,
                            escaped(s.label));
    x += width;
  }
  if (!out.text.empty()) out.height += legend_row;
  return out;
}

// The same length per pixel on both axes: the finer one shows more.
void equalise(Axis& x, Axis& y) {
  const double per_x = (x.high - x.low) / std::abs(x.to - x.from);
  const double per_y = (y.high - y.low) / std::abs(y.to - y.from);
  Axis& axis = per_x < per_y ? x : y;
  const double middle = 0.5 * (axis.low + axis.high);
  const double half = 0.5 * std::max(per_x, per_y) * std::abs(axis.to - axis.from);
  const int wanted = per_x < per_y ? 9 : 6;
  axis = make_axis(middle - half, middle + half, axis.from, axis.to, wanted, false);
}

// Grid, ticks and names of both axes.
std::string frame(const Plot& plot, const Axis& x, const Axis& y) {
  std::string grid, words;
  for (const double tick : x.ticks()) {
    grid += fmt::format("M{:.1f} {:.1f}V{:.1f}", x.pixel(tick), y.from, y.to);
    words += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         x.pixel(tick), y.from + 17, x.label(tick));
  }
  for (const double tick : y.ticks()) {
    grid += fmt::format("M{:.1f} {:.1f}H{:.1f}", x.from, y.pixel(tick), x.to);
    words += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                         x.from - 7, y.pixel(tick) + 4, y.label(tick));
  }
  const auto name = [](const std::string& label, const Axis& axis) {
    return escaped(label) + (axis.exponent == 0 ? "" : (label.empty() ? "" : "  ") + axis.factor());
  };
  const double x_middle = 0.5 * (x.from + x.to), y_middle = 0.5 * (y.from + y.to);
  words += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       x_middle, y.from + 38, name(plot.x_label, x));
  words += fmt::format(
      "<text transform=\"translate(20 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      y_middle, name(plot.y_label, y));
  return fmt::format(
      "<path fill=\"none\" stroke=\"#d9d9d4\" stroke-width=\"0.8\" d=\"{}\"/>\n"
      "<path fill=\"none\" stroke=\"#55554f\" stroke-width=\"1\" d=\"M{:.1f} "
      "{:.1f}V{:.1f}H{:.1f}\"/>\n"
      "{}",
      grid, x.from, y.to, y.from, x.to, words);
}

// One plot as a group whose upper edge is at `above`.
std::string drawn(const Plot& plot, double above) {
  Range x_range, y_range;
  for (const Series& s : plot.series) {
    if (s.x.size() != s.y.size()) {
      base::fail("plot '{}', series '{}': {} values of x but {} of y", plot.title, s.label,
                 s.x.size(), s.y.size());
    }
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!drawable(s, i)) continue;
      x_range.add(s.x[i]);
      y_range.add(s.y[i]);
    }
  }
  const bool empty = x_range.empty();
  if (empty) x_range = y_range = {0, 1};

  double top = plot.title.empty() ? 14 : 38;
  const Legend key = legend(plot, top + 2);
  top += key.height + (key.height > 0 ? 2 : 0);
  Axis x = make_axis(x_range.low, x_range.high, left, plot.width - right, 9, false);
  Axis y = make_axis(y_range.low, y_range.high, plot.height - bottom, top, 6, true);
  if (plot.equal_axes) equalise(x, y);

  std::string out = fmt::format("<g transform=\"translate(0 {:.1f})\">\n", above);
  if (!plot.title.empty()) {
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"25\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
                    left, escaped(plot.title));
  }
  out += key.text + frame(plot, x, y);
  for (std::size_t k = 0; k < plot.series.size(); ++k) out += drawn(plot.series[k], k, x, y);
  if (empty) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">no data</text>\n",
                       0.5 * (x.from + x.to), 0.5 * (y.from + y.to));
  }
  return out + "</g>\n";
}

}  // namespace

std::string svg(std::span<const Plot> plots) {
  double width = 0, height = 0;
  std::string body;
  for (const Plot& plot : plots) {
    body += drawn(plot, height);
    width = std::max(width, plot.width);
    height += plot.height;
  }
  return svg_document(width, height, body);
}

std::string svg(const Plot& plot) { return svg(std::span<const Plot>(&plot, 1)); }

}  // namespace klingel::report
