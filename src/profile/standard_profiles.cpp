#include "profile/standard_profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "profile/millimetre.hpp"
#include "spline/spline_fit.hpp"

namespace klingel::profile {
namespace {

constexpr double steepest = 10;
// how far a rounded junction of two arcs may move the curve, m
constexpr double rounding = 3e-8;

// A polynomial in mm, lowest power first.
template <std::size_t n>
spline::ValueAndSlope polynomial(const std::array<double, n>& c, double x) {
  spline::ValueAndSlope f;
  for (std::size_t i = n; i-- > 0;) {
    f.slope = f.slope * x + f.value;
    f.value = f.value * x + c[i];
  }
  return f;
}

// A circle of radius r about (y0, z0); its lower half for side = 1, the upper one for -1 (z down).
spline::ValueAndSlope circle(double y0, double z0, double r, int side, double y) {
  const double x = y - y0, root = std::sqrt(std::max(0.0, r * r - x * x));
  return {z0 + side * root, -side * x / root};
}

// Sections of S1002 in mm, from the flange's back (H) to the field side (A): F(S), with S = y
// and F = z.
constexpr std::array<double, 7> bounds = {
    -62.764705882, -49.662510381, -39.764473993, -38.426669071, -35.0, -26.0, 32.15796};
constexpr std::array tread = {0.0,
                              -0.03358537058,
                              0.001565681624,
                              -2.810427944e-05,
                              5.844240864e-08,
                              -1.562379023e-08,
                              5.309217349e-15,
                              -5.957839843e-12,
                              2.646656573e-13};
constexpr std::array root = {-4320.221063,  -1038.384026,    -106.5501873,     -6.051367875,
                             -0.2054332446, -0.004169739389, -4.687195829e-05, -2.25275554e-07};

// The published coefficients of the flange root are rounded: at its ends it misses its neighbours
// by 1.2e-4 and 0.4e-4 mm. A cubic of that size closes the gaps, in value and slope.
spline::ValueAndSlope closed_root(double s) {
  const double begin = bounds[4], width = bounds[5] - bounds[4], x = (s - begin) / width;
  const spline::ValueAndSlope before = circle(-26.210665, 16.446, 13, -1, begin);
  const spline::ValueAndSlope after = polynomial(tread, bounds[5]);
  const spline::ValueAndSlope a = polynomial(root, begin), b = polynomial(root, bounds[5]);
  const double v0 = before.value - a.value, d0 = (before.slope - a.slope) * width;
  const double v1 = after.value - b.value, d1 = (after.slope - b.slope) * width;
  const std::array hermite = {v0, d0, 3 * (v1 - v0) - 2 * d0 - d1, 2 * (v0 - v1) + d0 + d1};
  const spline::ValueAndSlope own = polynomial(root, s), more = polynomial(hermite, x);
  return {own.value + more.value, own.slope + more.slope / width};
}

spline::ValueAndSlope s1002_mm(double s) {
  if (s < bounds[0]) return circle(-49.5, 9.519259302, 20.5, 1, s);
  if (s < bounds[1]) return circle(-55, 16, 12, 1, s);
  if (s < bounds[2]) return circle(-58.558326413, 8.83492413, 20, 1, s);
  if (s < bounds[3]) return {-93.576667419 - 2.747477419 * s, -2.747477419};
  if (s < bounds[4]) return circle(-26.210665, 16.446, 13, -1, s);
  if (s < bounds[5]) return closed_root(s);
  if (s < bounds[6]) return polynomial(tread, s);
  return {1.36432364 - 0.066666667 * s, -0.066666667};
}

}  // namespace

double s1002_z(double y) { return s1002_mm(y / mm).value * mm; }
double s1002_slope(double y) { return s1002_mm(y / mm).slope; }

Profile s1002() {
  // the inner arc of 20.5 mm is vertical at -70 mm and has slope 10 a tenth of a mm before
  const double begin = -49.5 - 20.5 * std::sin(std::atan(steepest));
  std::vector<double> breaks = {begin * mm};
  for (const double b : bounds) breaks.push_back(b * mm);
  breaks.push_back(60 * mm);
  const auto f = [](double y) { return spline::ValueAndSlope{s1002_z(y), s1002_slope(y)}; };
  return {"S1002", ProfileKind::wheel, spline::follow(f, breaks, profile_tolerance, rounding),
          -70 * mm};
}

Profile rail_head(const RailHead& head, const char* name) {
  const double R = head.crown_radius, r = head.shoulder_radius, c = head.corner_radius;
  // 1. centres of tangent arcs lie on the common normal: crown (0, R), shoulder on the ray of
  //    the angle alpha at which the crown ends
  const double alpha = std::asin(head.crown_half_width / R);
  const double y_r = (R - r) * std::sin(alpha), z_r = R - (R - r) * std::cos(alpha);
  // 2. the corner touches a side 1:20 at half_width, so its centre is known, and with it the angle
  //    beta at which the shoulder ends
  const double y_c = head.half_width - c * std::sin(std::atan(20.0));
  const double beta = std::asin((y_c - y_r) / (r - c));
  const double z_c = z_r - (r - c) * std::cos(beta);
  if (!(alpha < beta && beta < std::atan(steepest))) {
    base::fail("the arcs of rail head '{}' do not follow each other", name);
  }

  const double y1 = head.crown_half_width, y2 = y_r + r * std::sin(beta);
  const double end = y_c + c * std::sin(std::atan(steepest));
  const auto f = [=](double y) {
    const double a = std::abs(y);
    spline::ValueAndSlope value = a < y1   ? circle(0, R, R, -1, a)
                                  : a < y2 ? circle(y_r, z_r, r, -1, a)
                                           : circle(y_c, z_c, c, -1, a);
    if (y < 0) value.slope = -value.slope;
    return value;
  };
  return {name, ProfileKind::rail,
          spline::follow(f, {-end, -y2, -y1, y1, y2, end}, profile_tolerance, rounding)};
}

Profile cone(double conicity) {
  if (!(std::abs(conicity) < 1)) {
    base::fail("the conicity of a wheel must be between -1 and 1, found {}", conicity);
  }
  const spline::CubicPiece line = {0, 0, -conicity, 0, 0};
  return {fmt::format("cone:{}", conicity), ProfileKind::wheel,
          spline::CubicSpline({-60 * mm, 60 * mm}, {line})};
}

Profile arc(double radius, ProfileKind kind) {
  if (!(std::abs(radius) >= 5 * mm && std::abs(radius) <= 1e4)) {
    base::fail("the radius of an arc must be between 0.005 and 10000 m, found {}", radius);
  }
  if (kind == ProfileKind::rail && radius < 0) {
    base::fail("a rail's arc must be convex, radius > 0, found {}", radius);
  }
  const bool rail = kind == ProfileKind::rail;
  const double R = std::abs(radius);
  const double end = std::min(rail ? 30 * mm : 60 * mm, 0.9 * R);
  // a convex rail and a hollow wheel rise towards their ends
  const int side = rail || radius < 0 ? 1 : -1;
  const auto f = [=](double y) {
    // y^2 / (R + root) = R - root without the cancellation
    const double root = std::sqrt(R * R - y * y);
    return spline::ValueAndSlope{side * y * y / (R + root), side * y / root};
  };
  return {fmt::format("arc:{}", radius), kind, spline::follow(f, {-end, 0, end}, 1e-9)};
}

Profile inclined(const Profile& profile, double angle) {
  if (!(std::abs(angle) < 0.5)) {
    base::fail("the inclination of a profile must be below 0.5 rad, found {}", angle);
  }
  const spline::CubicSpline& z = profile.z;
  const double c = std::cos(angle), s = std::sin(angle);
  const auto turned_y = [&](double y) { return y * c + z.value(y) * s; };
  // dz/dy of the turned curve; its y must ascend and its slope stay below the limit
  const auto usable = [&](double y) {
    const double slope = z.derivative(y);
    const double dy = c + slope * s, dz = slope * c - s;
    return dy > 0 && std::abs(dz) <= steepest * dy;
  };

  // the usable part about the flattest knot, its ends found by bisection
  std::size_t start = 0;
  for (std::size_t i = 0; i < z.knots().size(); ++i) {
    if (std::abs(z.knots()[i]) < std::abs(z.knots()[start])) start = i;
  }
  const auto last_usable = [&](int step) {
    std::size_t i = start;
    const std::size_t stop = step > 0 ? z.knots().size() - 1 : 0;
    while (i != stop && usable(z.knots()[i + static_cast<std::size_t>(step)])) {
      i += static_cast<std::size_t>(step);
    }
    if (i == stop) return z.knots()[i];
    double good = z.knots()[i], bad = z.knots()[i + static_cast<std::size_t>(step)];
    for (int k = 0; k < 60; ++k) {
      const double middle = (good + bad) / 2;
      (usable(middle) ? good : bad) = middle;
    }
    return good;
  };
  if (!usable(z.knots()[start]))
    base::fail("profile '{}' is too steep to be inclined", profile.name);
  const double begin = last_usable(-1), end = last_usable(1);

  // y of the original for a turned y: the turned y ascends, so bisection with Newton's steps
  const auto original = [&](double wanted) {
    double low = begin, high = end, y = (low + high) / 2;
    for (int k = 0; k < 200 && high - low > 1e-18; ++k) {
      const double off = turned_y(y) - wanted;
      (off < 0 ? low : high) = y;
      const double next = y - off / (c + z.derivative(y) * s);
      const double previous = y;
      y = next > low && next < high ? next : (low + high) / 2;
      if (y == previous) break;
    }
    return y;
  };
  const auto f = [&](double wanted) {
    const double y = original(wanted), slope = z.derivative(y);
    return spline::ValueAndSlope{z.value(y) * c - y * s, (slope * c - s) / (c + slope * s)};
  };
  // knots of the original stay, except those that would make a sliver at an end
  std::vector<double> breaks = {turned_y(begin)};
  for (const double y : z.knots()) {
    if (y > begin + 20e-6 && y < end - 20e-6) breaks.push_back(turned_y(y));
  }
  breaks.push_back(turned_y(end));
  Profile result = profile;
  result.name = fmt::format("{}, inclined {:.4g} rad", profile.name, angle);
  result.z = spline::follow(f, std::move(breaks), profile_tolerance);
  return result;
}

}  // namespace klingel::profile
