#include "report/paper_surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/markup.hpp"

namespace klingel::report {
namespace {

// straight lines between the points of a section
double value(const record::Section& s, double u) {
  const auto at = std::lower_bound(s.u.begin(), s.u.end(), u);
  const auto i =
      std::clamp<std::ptrdiff_t>(at - s.u.begin(), 1, static_cast<std::ptrdiff_t>(s.u.size()) - 1);
  const auto k = static_cast<std::size_t>(i);
  const double part = (u - s.u[k - 1]) / (s.u[k] - s.u[k - 1]);
  return std::lerp(s.f[k - 1], s.f[k], part);
}

std::string text(double x, double y, std::string_view words, const char* anchor = "start") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped(words));
}
std::string arrow(double x0, double y0, double x1, double y1) {
  const double d = std::hypot(x1 - x0, y1 - y0), ex = (x1 - x0) / d, ey = (y1 - y0) / d;
  return fmt::format(
      "<path fill=\"none\" stroke=\"#d55e00\" stroke-width=\"1.4\" d=\"M{:.1f} {:.1f}L{:.1f} "
      "{:.1f}m{:.1f} {:.1f}L{:.1f} {:.1f}l{:.1f} {:.1f}\"/>\n",
      x0, y0, x1, y1, -7 * ex + 3 * ey, -7 * ey - 3 * ex, x1, y1, -7 * ex - 3 * ey,
      -7 * ey + 3 * ex);
}

// a curve in pixels: (x + k (u - u0), y - k (f - f0))
std::string curve(const record::Section& s, double x, double y, double k, double u0, double f0,
                  bool downwards, const char* colour) {
  std::string path;
  for (std::size_t i = 0; i < s.u.size(); ++i)
    path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? 'M' : 'L', x + k * (s.u[i] - u0),
                        y - k * (downwards ? f0 - s.f[i] : s.f[i] - f0));
  return fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" d=\"{}\"/>\n", colour,
                     path);
}

}  // namespace

std::string surfaces_svg(const record::Scene& scene, const DrawnContact& c) {
  const record::SceneWheel& wheel = scene.wheels[c.wheel];
  const record::Section& f_w = scene.wheel_profiles[wheel.profile];
  const record::Section& f_r = wheel.left ? scene.rail_left : scene.rail_right;
  const double radius = value(f_w, c.u_w);
  std::string out;

  // both sections through the contact, which is the origin of the drawing
  constexpr double x = 250, y = 330, k = 2600;  // pixels, pixels per m
  out += curve(f_w, x, y, k, c.u_w, radius, true, "#0072b2");
  out += curve(f_r, x, y, k, c.u_r, value(f_r, c.u_r), false, "#444444");
  const double x_w = x - k * c.u_w, x_r = x - k * c.u_r, axis = 60;
  out += fmt::format(
      "<path stroke=\"#888\" stroke-dasharray=\"8 3 2 3\" d=\"M40 {0:.1f}H470\"/>\n<path "
      "stroke=\"#888\" stroke-dasharray=\"3 3\" d=\"M{1:.1f} {0:.1f}V{2:.1f}M{3:.1f} "
      "{4:.1f}V{5:.1f}\"/>\n",
      axis, x_w, y, x_r, y, y + 80);
  out += arrow(x_w, axis + 14, x, axis + 14) + arrow(x, axis, x, y - 4);
  out += arrow(x_r, y + 70, x, y + 70);
  out += text(x_w, axis - 8, "O_w", "middle") + text((x + x_w) / 2, axis + 30, "u_w", "middle");
  out +=
      text(x + 8, (axis + y) / 2, fmt::format("f_w(u_w) = {:.1f} mm (not to scale)", 1e3 * radius));
  out += text((x + x_r) / 2, y + 86, "u_r", "middle") + text(x_r - 8, y + 98, "O_r", "middle");
  out += text(x + 10, y + 18, "P_w = P_r") +
         fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"#d55e00\"/>\n", x, y);
  out += text(60, y - 70, "wheel, f_w") + text(60, y + 60, "rail, f_r");
  out +=
      text(40, 24,
           fmt::format("{}: section through the contact, 1 : 1 in width and height", wheel.name));

  // the wheel from the side
  constexpr double cx = 640, cy = 170, r = 120;
  const double px = cx + r * std::cos(c.theta_w), py = cy + r * std::sin(c.theta_w);
  out += fmt::format(
      "<circle cx=\"{0}\" cy=\"{1}\" r=\"{2}\" fill=\"none\" stroke=\"#0072b2\" "
      "stroke-width=\"2\"/>\n<path fill=\"none\" stroke=\"#444\" stroke-width=\"2\" d=\"M490 "
      "{3}H800\"/>\n<path fill=\"none\" stroke=\"#d55e00\" d=\"M{4} {1}A50 50 0 0 1 {0} {5}\"/>\n",
      cx, cy, r, cy + r, cx + 50, cy + 50);
  out += arrow(cx, cy, cx + r + 22, cy) + arrow(cx, cy, px, py) +
         arrow(490, cy + r + 18, px, cy + r + 18);
  out += text(cx + r + 26, cy + 4, "e_x") + text(cx + 44, cy + 52, "θ_w");
  out += text((490 + px) / 2, cy + r + 34, fmt::format("s_r = {:.3f} m", c.s_r), "middle");
  out += text(500, 24, "from the side: theta_w from e_x downwards");
  out += text(500, 400,
              fmt::format("here θ_w = {:.5f} rad, u_w = {:.3f} mm, u_r = {:.3f} mm", c.theta_w,
                          1e3 * c.u_w, 1e3 * c.u_r));
  return svg_document(880, 450, out);
}

}  // namespace klingel::report
