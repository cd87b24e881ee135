// The smallest gap by brute force, for tests of the search: every 0.3 mm of the wheel, the angle by
// golden section, the nearest point of the rail by scanning it, then the best place of the wheel by
// golden section. Knows nothing of silhouettes, brackets or Newton's method. Slow.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "contact/contact_search.hpp"

namespace klingel::contact::test {

template <typename F>
double golden_section(double low, double high, int steps, F f) {
  for (int i = 0; i < steps; ++i) {
    const double a = low + (high - low) * 0.381966, b = low + (high - low) * 0.618034;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return (low + high) / 2;
}

class BruteForce {
 public:
  BruteForce(const WheelSurface& wheel, const RailSurface& rail) : wheel_(wheel), rail_(rail) {
    constexpr int n = 300;
    for (int i = 0; i <= n; ++i) {
      const double v = rail.f_r.begin() + (rail.f_r.end() - rail.f_r.begin()) * i / n;
      scan_.push_back({v, rail.f_r.value(v)});
    }
  }

  struct Result {
    double gap, u_w;
  };
  Result smallest_gap(const WheelPose& pose, double s_near) const {
    constexpr double down = std::numbers::pi / 2, step = 3e-4;
    const auto gap = [&](double u, double theta) {
      const double f = wheel_.f_w.value(u);
      const spline::Vec3 p{f * std::cos(theta), u, -f * std::sin(theta)};
      return distance(pose.r_Ow + to_parent(pose.R_Gw, p), s_near);
    };
    const auto smallest = [&](double u) {
      const auto turned = [&](double theta) { return gap(u, theta); };
      return turned(golden_section(down - 0.15, down + 0.15, 30, turned));
    };
    Result best{std::numeric_limits<double>::infinity(), 0};
    for (double u = wheel_.f_w.begin(); u < wheel_.f_w.end(); u += step) {
      // far above: turning by 0.15 rad brings a wheel of half a metre 6 mm closer at most
      if (gap(u, down) > best.gap + 0.006) continue;
      const double d = smallest(u);
      if (d < best.gap) best = {d, u};
    }
    const double u = golden_section(best.u_w - step, best.u_w + step, 20, smallest);
    return {smallest(u), u};
  }

 private:
  // Signed distance from the rail in the section that holds the point; the profile goes straight on
  // beyond its ends.
  double distance(const spline::Vec3& point, double s) const {
    track::RailSection S = section(rail_.line, s);
    for (int i = 0; i < 3; ++i) {
      s += dot(point - S.origin, S.axes.x) / S.ds;
      S = section(rail_.line, s);
    }
    const spline::Vec3 p = to_child(S.axes, point - S.origin);
    const spline::CubicSpline& f = rail_.f_r;
    const auto squared = [&](double v) {
      const double y = p.y - v, z = p.z - f.value(v);
      return y * y + z * z;
    };
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < scan_.size(); ++i) {
      const double y = p.y - scan_[i].v, z = p.z - scan_[i].f;
      if (y * y + z * z < least) least = y * y + z * z, nearest = i;
    }
    const double low = scan_[nearest == 0 ? 0 : nearest - 1].v;
    const double high = scan_[std::min(nearest + 1, scan_.size() - 1)].v;
    double d = std::sqrt(squared(golden_section(low, high, 30, squared)));
    const double inside = std::clamp(p.y, f.begin(), f.end());
    if (p.z < f.value(inside) + f.derivative(inside) * (p.y - inside)) d = -d;
    for (const double end : {f.begin(), f.end()}) {
      const double df = f.derivative(end), y = p.y - end, z = p.z - f.value(end);
      const double along = y + z * df;
      if (end == f.begin() ? along > 0 : along < 0) continue;
      const double across = (z - df * y) / std::sqrt(1 + df * df);
      if (std::abs(across) < std::abs(d)) d = across;
    }
    return d;
  }

  struct Point {
    double v, f;
  };
  const WheelSurface& wheel_;
  const RailSurface& rail_;
  std::vector<Point> scan_;
};

}  // namespace klingel::contact::test
