#include "wear/worn_profile.hpp"

#include <algorithm>
#include <cmath>

#include "spline/spline_fit.hpp"

namespace klingel::wear {
namespace {

using spline::CubicPiece, spline::CubicSpline;

// The lost depth over y, zero slope at the ends.
CubicSpline depth_spline(const WearMap& lost) {
  constexpr double apart = 1e-3;  // m
  const auto each = static_cast<std::size_t>(std::max(1.0, std::round(apart / lost.cell())));
  std::vector<double> y, depth;
  for (std::size_t i = 0; i < lost.depth().size(); i += each) {
    double sum = 0, middle = 0, count = 0;
    for (std::size_t k = i; k < std::min(i + each, lost.depth().size()); ++k, ++count)
      sum += lost.depth()[k], middle += lost.y(k);
    y.push_back(middle / count), depth.push_back(sum / count);
  }
  const spline::SplineEnd flat{spline::SplineEnd::clamped, 0};
  return spline::interpolate(y, depth, flat, flat);
}

// The piece of a spline at u, about u.
CubicPiece about(const CubicSpline& f, double u, double middle) {
  if (middle <= f.begin()) return {0, 0, 0, f.value(f.begin()), u};
  if (middle >= f.end()) return {0, 0, 0, f.value(f.end()), u};
  const CubicPiece& p = f.piece(middle);
  return {p.a, p.second_derivative(u) / 2, p.derivative(u), p.value(u), u};
}

}  // namespace

profile::Profile worn(const profile::Profile& profile, const WearMap& lost,
                      const std::string& name) {
  const double sign = profile.kind == profile::ProfileKind::wheel ? -1 : 1;
  const CubicSpline depth = depth_spline(lost);
  const std::span<const double> own = profile.z.knots();
  std::vector<double> knots(own.begin(), own.end());
  for (const double y : depth.knots())
    if (y > profile.z.begin() && y < profile.z.end()) knots.push_back(y);
  std::sort(knots.begin(), knots.end());
  // knots that nearly meet are one
  std::vector<double> apart{knots.front()};
  for (const double y : knots)
    if (y > apart.back() + 1e-9) apart.push_back(y);
  std::vector<CubicPiece> pieces;
  for (std::size_t i = 0; i + 1 < apart.size(); ++i) {
    const double u = apart[i], middle = (u + apart[i + 1]) / 2;
    const CubicPiece a = about(profile.z, u, middle), b = about(depth, u, middle);
    pieces.push_back({a.a + sign * b.a, a.b + sign * b.b, a.c + sign * b.c, a.d + sign * b.d, u});
  }
  profile::Profile result = profile;
  result.name = name;
  result.z = CubicSpline(std::move(apart), std::move(pieces));
  return result;
}

}  // namespace klingel::wear
