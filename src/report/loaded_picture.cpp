#include "report/loaded_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "report/markup.hpp"
#include "report/plot.hpp"

namespace klingel::report {
namespace {

using contact::LoadedRow;
using contact::LoadedSide;
using contact::Patch;
using profile::Side;

// Colours of patches, the one that carries most first (after Okabe and Ito).
constexpr std::string_view colours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7"};

// In mm: what a panel shows of a section, measured from the rail's origin.
constexpr double inner = -50, outer = 42, above = 17, below = -31;
constexpr double ahead = 13;    // along the rail, in the view from above
constexpr double per_mm = 4.1;  // pixels
constexpr double per_gpa = 5;   // mm of height for 1 GPa of pressure
constexpr double edge = 14, head = 52, between = 8, foot = 20;  // pixels
constexpr double panel = (outer - inner) * per_mm;
constexpr double section_height = (above - below) * per_mm, plan_height = 2 * ahead * per_mm;
constexpr double row_height = head + section_height + between + plan_height + foot;
constexpr double width = 3 * edge + 2 * panel;
constexpr std::size_t most_rows = 4;

struct Point {
  double x, y;  // mm or pixels
};

// One side of one row. Lengths in mm from the rail's origin, x outwards, y up.
struct Panel {
  const contact::SideProfiles& profiles;
  const LoadedRow::Wheel& wheel;
  const LoadedSide& side;
  double lean;         // of the rail
  double rail_height;  // of its origin, m
  bool mirrored;       // the left side stands at the left: outwards is to the left
  double left, top;    // pixels

  double x(double mm) const { return left + per_mm * (mirrored ? outer - mm : mm - inner); }
  double y(double mm) const { return top + per_mm * (above - mm); }
  Point pixel(Point p) const { return {x(p.x), y(p.y)}; }

  // Points of the rail and of the wheel at their positions.
  Point rail(double u) const {
    const double h = -profiles.rail.z.value(u);
    return {1e3 * (u * std::cos(lean) - h * std::sin(lean)),
            1e3 * (u * std::sin(lean) + h * std::cos(lean) + rail_height)};
  }
  Point tread(double u, double r0) const {
    const double e_n = side.pose.e_n, f = r0 + profiles.wheel.z.value(u);
    return {1e3 * (side.pose.y + u + f * e_n), 1e3 * (side.pose.z + u * e_n - f + rail_height)};
  }
};

std::string path(const std::vector<Point>& points) {
  std::string d;
  for (const Point& p : points)
    d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", p.x, p.y);
  return d;
}

std::vector<Point> outline(const Panel& p, const profile::Profile& profile, const auto& place) {
  constexpr int n = 160;
  std::vector<Point> points;
  const double low = profile.z.begin(), high = profile.z.end();
  for (int i = 0; i <= n; ++i) points.push_back(p.pixel(place(low + (high - low) * i / n)));
  return points;
}

// A body between its outline and an edge of the picture.
std::string body(std::vector<Point> points, double y, std::string_view fill) {
  const std::string line = path(points);
  points.push_back({points.back().x, y});
  points.push_back({points.front().x, y});
  return fmt::format(
      "<path fill=\"{}\" d=\"{}Z\"/>\n"
      "<path fill=\"none\" stroke=\"#555550\" stroke-width=\"1\" d=\"{}\"/>\n",
      fill, path(points), line);
}

std::string words(double x, double y, std::string_view anchor, std::string_view text,
                  std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, report::escaped(text));
}

// The strip on the rail with its pressure drawn along the normals, and its label.
std::string strip(const Panel& p, const Patch& patch, std::string_view colour, double label_y) {
  std::vector<Point> ground, hill;
  double deepest = 0;
  for (const auto& point : patch.zone.points) deepest = std::max(deepest, point.depth);
  Point top{0, INFINITY};
  for (const auto& point : patch.zone.points) {
    const double step = 1e-5;
    const Point at = p.rail(point.u_r), next = p.rail(point.u_r + step);
    const double tx = next.x - at.x, ty = next.y - at.y, length = std::hypot(tx, ty);
    const double high = per_gpa * 1e-9 * patch.pressure * std::sqrt(point.depth / deepest);
    ground.push_back(p.pixel(at));
    hill.push_back(p.pixel({at.x - high * ty / length, at.y + high * tx / length}));
    if (hill.back().y < top.y) top = hill.back();
  }
  std::vector<Point> area = hill;
  area.insert(area.end(), ground.rbegin(), ground.rend());
  std::string out = fmt::format(
      "<path fill=\"{0}\" fill-opacity=\"0.35\" stroke=\"{0}\" stroke-width=\"1\" d=\"{1}Z\"/>\n"
      "<path fill=\"none\" stroke=\"{0}\" stroke-width=\"4\" d=\"{2}\"/>\n",
      colour, path(area), path(ground));
  out += fmt::format("<path stroke=\"{}\" stroke-width=\"0.8\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n",
                     colour, top.x, top.y - 2, label_y + 4);
  return out + words(top.x, label_y, "middle",
                     fmt::format("{:.1f} kN, {:.0f} %", 1e-3 * patch.N, 100 * patch.share),
                     fmt::format(" fill=\"{}\" font-weight=\"600\"", colour));
}

// The patch as seen from above: across as in the section, along the rail up and down.
std::string footprint(const Panel& p, const Patch& patch, std::string_view colour, double middle) {
  double deepest = 0;
  for (const auto& point : patch.zone.points) deepest = std::max(deepest, point.depth);
  std::vector<Point> front, back;
  for (const auto& point : patch.zone.points) {
    const double half = 1e3 * per_mm * patch.x * std::sqrt(point.depth / deepest);
    const double x = p.x(p.rail(point.u_r).x);
    front.push_back({x, middle - half});
    back.push_back({x, middle + half});
  }
  front.insert(front.end(), back.rbegin(), back.rend());
  return fmt::format(
      "<path fill=\"{0}\" fill-opacity=\"0.35\" stroke=\"{0}\" stroke-width=\"1.2\" d=\"{1}Z\"/>\n",
      colour, path(front));
}

std::string drawn(const Panel& p, double r0, const std::string& id) {
  const double bottom = p.top + section_height, plan = bottom + between;
  std::string out = fmt::format(
      "<clipPath id=\"{0}\"><rect x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" "
      "height=\"{4:.1f}\"/></clipPath>\n<g clip-path=\"url(#{0})\">\n",
      id, p.left, p.top, panel, section_height);
  out += body(outline(p, p.profiles.rail, [&](double u) { return p.rail(u); }), bottom, "#e2e1da");
  out += body(outline(p, p.profiles.wheel, [&](double u) { return p.tread(u, r0); }), p.top,
              "#dde6ee");
  // labels that would overlap are on two lines
  std::vector<std::size_t> order(p.wheel.patches.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return p.wheel.patches[a].u_r < p.wheel.patches[b].u_r;
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    out += strip(p, p.wheel.patches[i], colours[i % std::size(colours)],
                 p.top + 14 + (k % 2 == 1 ? 16.0 : 0.0));
  }
  out += "</g>\n";

  // from above
  const double middle = plan + plan_height / 2;
  out += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#f4f4ef\"/>\n"
      "<path stroke=\"#bbbbb4\" stroke-width=\"0.8\" stroke-dasharray=\"3 3\" d=\"M{:.1f} "
      "{:.1f}h{:.1f}\"/>\n",
      p.left, plan, panel, plan_height, p.left, middle, panel);
  for (std::size_t i = 0; i < p.wheel.patches.size(); ++i)
    out += footprint(p, p.wheel.patches[i], colours[i % std::size(colours)], middle);
  std::string ticks;
  for (int mm = -40; mm <= 40; mm += 10) {
    ticks += fmt::format("M{:.1f} {:.1f}v4", p.x(mm), plan + plan_height);
    out += words(p.x(mm), plan + plan_height + 15, "middle", std::to_string(mm),
                 " font-size=\"10\" fill=\"#666660\"");
  }
  out += fmt::format("<path stroke=\"#888880\" stroke-width=\"1\" d=\"{}\"/>\n", ticks);
  return out;
}

std::string drawn(const contact::Wheelset& w, double load, const LoadedRow& row, std::size_t k) {
  const double top = static_cast<double>(k) * row_height;
  const auto& placement = w.geometry->placement();
  std::string out;
  const auto side = [&](Side s, double left) {
    const contact::SideProfiles& profiles = s == Side::left ? w.left : w.right;
    const LoadedSide& its = row.contact.on(s);
    const Panel p{
        profiles,        row.on(s), its,       placement.inclination, w.geometry->rail_height(s),
        s == Side::left, left,      top + head};
    out += words(left, top + 43, "start",
                 fmt::format("{}: {} on {}, r = {:.3f} mm", s == Side::left ? "left" : "right",
                             profiles.wheel.name, profiles.rail.name, 1e3 * its.rolling_radius));
    out += drawn(p, placement.radius, fmt::format("clip{}{}", k, s == Side::left ? "l" : "r"));
  };
  side(Side::left, edge);
  side(Side::right, 2 * edge + panel);
  out += words(edge, top + 24, "start",
               fmt::format("y = {:g} mm, {:g} kN on each wheel", 1e3 * row.contact.y, 1e-3 * load),
               " font-size=\"15\" font-weight=\"600\"");
  return out;
}

Plot over_y(const std::string& title, const std::string& y_label, double scale,
            double LoadedSide::*value, std::span<const LoadedRow> rows) {
  Plot plot;
  plot.title = title;
  plot.x_label = "y of the wheelset, to the left, mm";
  plot.y_label = y_label;
  plot.width = width;
  plot.height = 260;
  Series left{"left", {}, {}, report::Style::line}, right{"right", {}, {}, report::Style::dashed};
  for (const LoadedRow& row : rows) {
    left.x.push_back(1e3 * row.contact.y);
    left.y.push_back(scale * row.contact.left.*value);
    right.x.push_back(1e3 * row.contact.y);
    right.y.push_back(scale * row.contact.right.*value);
  }
  plot.series = {std::move(left), std::move(right)};
  return plot;
}

}  // namespace

std::string loaded_picture(const contact::Wheelset& w, double load,
                           std::span<const LoadedRow> rows) {
  std::string out;
  const std::size_t shown = std::min(rows.size(), most_rows);
  for (std::size_t k = 0; k < shown; ++k) {
    const std::size_t i = shown > 1 ? k * (rows.size() - 1) / (shown - 1) : 0;
    out += drawn(w, load, rows[i], k);
  }
  double height = static_cast<double>(shown) * row_height;
  out += words(edge, height + 16, "start",
               "Below each section its patches from above; mm from the rail's origin, outwards. "
               "Height of pressure: 10 mm for 2 GPa, an estimate.",
               " font-size=\"11\" fill=\"#666660\"");
  height += 28;
  // fewer are no curve
  if (rows.size() > most_rows) {
    const Plot plots[] = {over_y("Rolling radius, mean over the patches", "mm", 1e3,
                                 &LoadedSide::rolling_radius, rows),
                          over_y("Contact angle, mean over the patches", "degrees", 180 / M_PI,
                                 &LoadedSide::angle, rows)};
    out +=
        fmt::format("<g transform=\"translate(0 {:.1f})\">\n{}</g>\n", height, report::svg(plots));
    for (const Plot& plot : plots) height += plot.height;
  }
  return report::svg_document(width, height, out);
}

}  // namespace klingel::report
