// Surfaces for tests of the contact: shapes with closed answers, the profiles of a narrow-gauge
// locomotive (splines that wiggle, with a fold in the tread), and rails that bend, twist and climb.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "contact/surfaces.hpp"

namespace klingel::contact::test {

// A spline with given values and slopes at its knots.
inline spline::CubicSpline hermite(const std::vector<double>& u, const std::vector<double>& f,
                                   const std::vector<double>& df) {
  std::vector<spline::CubicPiece> pieces;
  for (std::size_t i = 0; i + 1 < u.size(); ++i) {
    const double h = u[i + 1] - u[i], mean = (f[i + 1] - f[i]) / h;
    pieces.push_back({(df[i] + df[i + 1] - 2 * mean) / (h * h),
                      (3 * mean - 2 * df[i] - df[i + 1]) / h, df[i], f[i], u[i]});
  }
  return {u, pieces};
}

// A function and its derivative, sampled at n + 1 knots.
template <typename F, typename DF>
spline::CubicSpline sampled_spline(double low, double high, int n, F f, DF df) {
  std::vector<double> u, y, dy;
  for (int i = 0; i <= n; ++i) {
    const double x = low + (high - low) * i / n;
    u.push_back(x);
    y.push_back(f(x));
    dy.push_back(df(x));
  }
  return hermite(u, y, dy);
}

// A wheel of radius r whose tread is a cone of the given slope of radius over u.
inline spline::CubicSpline cone(double r, double slope) {
  return {{-0.07, 0.07}, {{0, 0, slope, r - 0.07 * slope, -0.07}}};
}

// A profile that is an arc of radius R, convex for sign -1: f(u) = top + sign (R - sqrt(R^2 -
// u^2)).
inline spline::CubicSpline arc(double R, double top, double half_width, double sign = -1) {
  return sampled_spline(
      -half_width, half_width, 400,
      [=](double u) { return top + sign * (R - std::sqrt(R * R - u * u)); },
      [=](double u) { return sign * u / std::sqrt(R * R - u * u); });
}

// The article's locomotive: rail, and the wheel whose flange stands at negative u (left side).
inline spline::CubicSpline metre_gauge_rail() {
  const std::vector<double> d = {0.1449254, 0.1545111, 0.15690373, 0.1578697,
                                 0.15851,   0.1588333, 0.15895833, 0.159};
  const std::vector<double> c = {3.098854518875, 0.966629240563, 0.221626518875, 0.162024683938,
                                 0.094036745374, 0.039988334567, 0.015007916358, 0};
  std::vector<double> u, f, df;
  for (int i = -7; i <= 7; ++i) {
    const auto k = static_cast<std::size_t>(7 - std::abs(i));
    u.push_back(0.005 * i);
    f.push_back(d[k]);
    df.push_back(i > 0 ? -c[k] : c[k]);
  }
  return hermite(u, f, df);
}
inline spline::CubicSpline metre_gauge_wheel() {
  // radius and slope at the knots; the last slope from the article's last piece
  return hermite({-0.068, -0.065, -0.060, -0.055, -0.050, -0.045, -0.040, -0.035, -0.030, -0.020,
                  -0.010, 0, 0.010, 0.020, 0.030, 0.040, 0.050, 0.060, 0.062},
                 {0.5153, 0.52382056, 0.52769355, 0.52888676, 0.52816857, 0.52512853, 0.51410483,
                  0.50376716, 0.50138308, 0.50060662, 0.50015155, 0.5, 0.49984845, 0.49939338,
                  0.49863353, 0.49765869, 0.49667603, 0.49569336, 0.49550448},
                 {4.10973466225, 1.75624576318, 0.30852549264, 0.04937226625, -0.22100255765,
                  -1.42030003566, -2.53604129972, -1.25235676547, -0.08758163839, -0.0636306387,
                  -0.02735480679, -0.00893613412, -0.02783065671, -0.06172723903, -0.08973638715,
                  -0.09973421235, -0.09857676344, -0.09555773387, -0.09322628602});
}

inline track::RailLine straight_line() {
  const auto linear = [](double slope) {
    return spline::CubicSpline({-50, 50}, {{0, 0, slope, -50 * slope, -50}});
  };
  return {linear(1), linear(0), linear(0), linear(0)};
}

// Turns left with growing curvature, climbs, waves and twists: nothing about it is zero.
inline track::RailLine bent_line() {
  const double w = 2 * std::numbers::pi / 10;
  const auto make = [](auto f, auto df) { return sampled_spline(-50, 50, 400, f, df); };
  return {make([](double s) { return s - 1e-6 * s * s * s; },
               [](double s) { return 1 - 3e-6 * s * s; }),
          make([](double s) { return s * s / 600 + 1e-5 * s * s * s; },
               [](double s) { return s / 300 + 3e-5 * s * s; }),
          make([w](double s) { return 0.004 * s + 0.01 * std::sin(w * s); },
               [w](double s) { return 0.004 + 0.01 * w * std::cos(w * s); }),
          make([w](double s) { return 0.05 + 0.03 * std::sin(0.3 * w * s); },
               [w](double s) { return 0.009 * w * std::cos(0.3 * w * s); })};
}

// Rolled by roll about x, then yawed about z (both small), in the base of the rail's section.
inline WheelPose pose_at(const track::RailLine& line, double s_r, double y, double z, double yaw,
                         double roll) {
  const track::RailSection S = section(line, s_r);
  const double cp = std::cos(yaw), sp = std::sin(yaw), cr = std::cos(roll), sr = std::sin(roll);
  const spline::Axes local{{cp, sp, 0}, {-sp * cr, cp * cr, sr}, {sp * sr, -cp * sr, cr}};
  return {S.origin + y * S.axes.y + z * S.axes.z,
          {to_parent(S.axes, local.x), to_parent(S.axes, local.y), to_parent(S.axes, local.z)}};
}

}  // namespace klingel::contact::test
