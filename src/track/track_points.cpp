#include "track/track_points.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "spline/spline_fit.hpp"
#include "spline/vec3.hpp"

namespace klingel::track {
namespace {

void check(const std::vector<double>& s, const std::vector<RailPoint>& points, const char* what) {
  if (s.size() < 4) base::fail("{} needs at least 4 points, found {}", what, s.size());
  if (points.size() != s.size()) {
    base::fail("{} has {} abscissas and {} points: must be equal", what, s.size(), points.size());
  }
  for (std::size_t i = 0; i < s.size(); ++i) {
    const RailPoint& p = points[i];
    if (!std::isfinite(s[i] + p.x + p.y + p.z + p.cant)) {
      base::fail("point {} of {} is not made of finite numbers", i + 1, what);
    }
    if (i > 0 && s[i] <= s[i - 1]) {
      base::fail("the abscissa of {} must ascend: point {} has s = {} m after {} m", what, i + 1,
                 s[i], s[i - 1]);
    }
  }
}

// Heading, curvature and gradient of a line of points; the rest is copied.
std::vector<CentrePoint> along(const std::vector<double>& s, const std::vector<RailPoint>& line) {
  std::vector<double> x, y, z;
  for (const RailPoint& p : line) x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
  const spline::CubicSpline fx = spline::interpolate(s, x), fy = spline::interpolate(s, y),
                            fz = spline::interpolate(s, z);
  std::vector<CentrePoint> result;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double dx = fx.derivative(s[i]), dy = fy.derivative(s[i]), plan = std::hypot(dx, dy);
    if (!(plan > 1e-6))
      base::fail("the track has no direction at s = {} m: neighbouring points coincide", s[i]);
    CentrePoint p;
    p.s = s[i], p.x = x[i], p.y = y[i], p.z = z[i], p.cant = line[i].cant;
    // turns are added up so that the heading has no jumps
    const double heading = std::atan2(dy, dx), before = i == 0 ? heading : result.back().heading;
    p.heading = before + std::remainder(heading - before, 2 * std::numbers::pi);
    p.curvature =
        (dx * fy.second_derivative(s[i]) - dy * fx.second_derivative(s[i])) / (plan * plan * plan);
    p.gradient = fz.derivative(s[i]) / plan;
    result.push_back(p);
  }
  return result;
}

}  // namespace

RailPoints rails_along(const std::vector<double>& s, const std::vector<RailPoint>& centre,
                       double distance) {
  check(s, centre, "the centre line");
  RailPoints rails;
  rails.s = s;
  for (const CentrePoint& p : along(s, centre)) {
    const double across = 0.5 * distance * std::cos(p.cant), up = 0.5 * distance * std::sin(p.cant);
    const double c_x = -std::sin(p.heading), c_y = std::cos(p.heading);
    rails.left.push_back({p.x + across * c_x, p.y + across * c_y, p.z + up, p.cant});
    rails.right.push_back({p.x - across * c_x, p.y - across * c_y, p.z - up, p.cant});
  }
  return rails;
}

CentreBetween centre_between(const RailPoints& rails) {
  check(rails.s, rails.left, "the left rail");
  check(rails.s, rails.right, "the right rail");
  std::vector<RailPoint> middle;
  for (std::size_t i = 0; i < rails.s.size(); ++i) {
    const RailPoint &l = rails.left[i], &r = rails.right[i];
    middle.push_back({0.5 * (l.x + r.x), 0.5 * (l.y + r.y), 0.5 * (l.z + r.z), 0});
  }
  CentreBetween result;
  result.points = along(rails.s, middle);
  for (std::size_t i = 0; i < rails.s.size(); ++i) {
    const RailPoint &l = rails.left[i], &r = rails.right[i];
    CentrePoint& p = result.points[i];
    const spline::Vec3 apart{l.x - r.x, l.y - r.y, l.z - r.z};
    if (!(dot(apart, spline::Vec3{-std::sin(p.heading), std::cos(p.heading), 0}) > 0)) {
      base::fail("at s = {} m the left rail is not left of the right one; are they swapped?", p.s);
    }
    p.cant = std::asin(apart.z / norm(apart));
    result.distance.push_back(norm(apart));
  }
  return result;
}

}  // namespace klingel::track
