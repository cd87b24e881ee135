#include "report/paper_solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/markup.hpp"

namespace klingel::report {
namespace {

using record::Solid;
using record::Triple;

// red, green, blue; by kind in the order of their first appearance, near the article's colours
constexpr std::array<std::array<int, 3>, 7> colours = {{{84, 140, 150},
                                                        {104, 168, 84},
                                                        {60, 90, 160},
                                                        {200, 70, 60},
                                                        {150, 110, 180},
                                                        {225, 140, 175},
                                                        {205, 150, 60}}};
constexpr std::array<int, 3> wheel_colour = {130, 185, 225};

Triple plus(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Face {
  std::vector<Triple> corners;
  Triple normal;
  std::array<int, 3> colour;
  bool above = false;  // of all others: drawn last, views are from above
};

class Drawing {
 public:
  explicit Drawing(const View& view) : scale_(view.scale) {
    const double c = std::cos(view.turn), s = std::sin(view.turn);
    right_ = {c, s, 0};
    towards_ = {s * std::cos(view.raise), -c * std::cos(view.raise), std::sin(view.raise)};
    up_ = {-s * std::sin(view.raise), c * std::sin(view.raise), std::cos(view.raise)};
  }

  void box(const Triple& centre, const Triple& size, const std::array<int, 3>& colour,
           bool above = false) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (const double side : {-0.5, 0.5}) {
        Face f{{}, {}, colour, above};
        f.normal[axis] = 2 * side;
        for (const auto& [a, b] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
          Triple r = centre;
          r[axis] += side * size[axis];
          r[u] += a * size[u];
          r[v] += b * size[v];
          f.corners.push_back(r);
        }
        add(std::move(f));
      }
    }
  }

  // along y
  void cylinder(const Triple& centre, double radius, double length,
                const std::array<int, 3>& colour) {
    constexpr int sides = 28;
    const auto rim = [&](int k, double y) {
      const double a = 2 * std::numbers::pi * k / sides;
      return plus(centre, {radius * std::cos(a), y, radius * std::sin(a)});
    };
    Face near{{}, {0, -1, 0}, colour, false}, far{{}, {0, 1, 0}, colour, false};
    for (int k = 0; k < sides; ++k) {
      near.corners.push_back(rim(k, -length / 2));
      far.corners.push_back(rim(k, length / 2));
      const double a = 2 * std::numbers::pi * (k + 0.5) / sides;
      add({{rim(k, -length / 2), rim(k + 1, -length / 2), rim(k + 1, length / 2),
            rim(k, length / 2)},
           {std::cos(a), 0, std::sin(a)},
           colour,
           false});
    }
    add(std::move(near));
    add(std::move(far));
  }

  void line(const Triple& from, const Triple& to) {
    add({{from, to}, towards_, {40, 40, 40}, false});
  }

  // what is farther away first; a legend below
  std::string svg(const std::map<std::string, std::array<int, 3>>& legend) {
    std::stable_sort(faces_.begin(), faces_.end(), [&](const Face& a, const Face& b) {
      return a.above != b.above ? b.above : depth(a) < depth(b);
    });
    double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
    for (const Face& f : faces_) {
      for (const Triple& r : f.corners) {
        x0 = std::min(x0, dot(r, right_)), x1 = std::max(x1, dot(r, right_));
        y0 = std::min(y0, dot(r, up_)), y1 = std::max(y1, dot(r, up_));
      }
    }
    constexpr double margin = 16;
    std::string out;
    for (const Face& f : faces_) {
      std::string path;
      for (const Triple& r : f.corners)
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                            margin + scale_ * (dot(r, right_) - x0),
                            margin + scale_ * (y1 - dot(r, up_)));
      // upper faces light, those to the side darker
      const double light = 0.72 + 0.2 * f.normal[2] + 0.12 * dot(f.normal, towards_);
      const auto part = [&](std::size_t i) {
        return std::clamp(static_cast<int>(light * f.colour[i]), 0, 255);
      };
      const bool line = f.corners.size() == 2;
      out +=
          fmt::format("<path d=\"{}{}\" fill=\"{}\" stroke=\"#222\" stroke-width=\"{}\"/>\n", path,
                      line ? "" : "z",
                      line ? "none" : fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2)),
                      line ? "2" : "0.4");
    }
    const double below = 2 * margin + scale_ * (y1 - y0);
    double x = margin;
    for (const auto& [name, c] : legend) {
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" "
          "fill=\"#{:02x}{:02x}{:02x}\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          x, below, c[0], c[1], c[2], x + 17, below + 10, escaped(name));
      x += 34 + text_width(name);
    }
    return svg_document(std::max(2 * margin + scale_ * (x1 - x0), x), below + 12 + margin, out);
  }

 private:
  void add(Face f) {
    // faces that look away are hidden by the others
    if (f.corners.size() > 2 && dot(f.normal, towards_) < 1e-9) return;
    faces_.push_back(std::move(f));
  }
  double depth(const Face& f) const {
    double sum = 0;
    for (const Triple& r : f.corners) sum += dot(r, towards_);
    return sum / static_cast<double>(f.corners.size());
  }

  double scale_;
  Triple right_, up_, towards_;
  std::vector<Face> faces_;
};

void draw(Drawing& drawing, const Solid& solid, const Triple& at,
          const std::array<int, 3>& colour) {
  const Triple centre = plus(at, solid.centre);
  switch (solid.shape) {
    case Solid::Shape::box:
      drawing.box(centre, solid.size, colour, solid.is_reference);
      break;
    case Solid::Shape::cylinder:
      drawing.cylinder(centre, solid.size[0] / 2, solid.size[1], colour);
      break;
    case Solid::Shape::bogie:
      for (const double side : {-0.5, 0.5})
        drawing.box(plus(centre, {0, side * solid.size[1], 0}),
                    {solid.size[0], 0.14, solid.size[2]}, colour);
      drawing.box(centre, {0.5, solid.size[1] - 0.14, 0.8 * solid.size[2]}, colour);
      break;
    case Solid::Shape::none:
      break;
  }
}

// tread and flange as two discs
void draw(Drawing& drawing, const record::Scene& scene, const record::SceneWheel& wheel,
          const Triple& at) {
  const record::Section& profile = scene.wheel_profiles[wheel.profile];
  double low = 1e9, high = 0, from = 1e9, to = -1e9;
  for (std::size_t i = 0; i < profile.u.size(); ++i) {
    low = std::min(low, profile.f[i]), high = std::max(high, profile.f[i]);
    from = std::min(from, profile.u[i]), to = std::max(to, profile.u[i]);
  }
  const double inner = wheel.left ? from : to;  // where the flange is
  const double width = 0.03 * (wheel.left ? 1 : -1);
  drawing.cylinder(plus(at, {0, wheel.y + (from + to) / 2, 0}), low, to - from, wheel_colour);
  drawing.cylinder(plus(at, {0, wheel.y + inner + width / 2, 0}), high, std::abs(width),
                   wheel_colour);
}

}  // namespace

std::string kind_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::map<std::string, std::string> kind_colours(const record::Scene& scene) {
  std::map<std::string, std::string> list;
  for (const Solid& s : scene.solids) {
    if (s.shape == Solid::Shape::none) continue;
    const std::array<int, 3>& c = colours[list.size() % colours.size()];
    list.try_emplace(kind_of(s.name), fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]));
  }
  return list;
}

std::string solids_svg(const record::Scene& scene, std::span<const Triple> places,
                       std::span<const Triple> shifts, const View& view) {
  Drawing drawing(view);
  const auto shift = [&](std::size_t i) { return shifts.empty() ? Triple{} : shifts[i]; };
  std::map<std::string, std::array<int, 3>> legend;
  for (std::size_t i = 0; i < scene.solids.size(); ++i) {
    const Solid& s = scene.solids[i];
    if (s.shape == Solid::Shape::none) continue;
    const std::string kind = kind_of(s.name);
    const auto colour = legend.try_emplace(kind, colours[legend.size() % colours.size()]).first;
    draw(drawing, s, plus(places[s.frame], shift(i)), colour->second);
  }
  // frames of the wheelsets come first
  for (std::size_t k = 0; k < scene.wheelsets.size(); ++k) {
    const Triple at = plus(places[k], shift(scene.solids.size() + k));
    double reach = 0;
    for (const record::SceneWheel& w : scene.wheels) {
      if (w.frame != k) continue;
      draw(drawing, scene, w, at);
      reach = std::max(reach, std::abs(w.y));
    }
    drawing.cylinder(at, 0.08, 2 * reach + 0.5, wheel_colour);
  }
  if (!scene.wheelsets.empty()) legend.emplace("wheelset", wheel_colour);
  if (shifts.empty()) {
    for (const record::Spring& s : scene.springs)
      drawing.line(plus(places[s.from.frame], s.from.r), plus(places[s.to.frame], s.to.r));
  }
  return drawing.svg(legend);
}

}  // namespace klingel::report
