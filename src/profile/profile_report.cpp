#include "profile/profile_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "profile/millimetre.hpp"

namespace klingel::profile {
namespace {

// the curve is looked at in steps of at most this
constexpr double resolution = 0.02 * mm;

// Knots and enough places between them; second derivatives have their extremes at knots.
std::vector<double> places(const spline::CubicSpline& z) {
  std::vector<double> y;
  for (std::size_t i = 0; i < z.pieces().size(); ++i) {
    const double begin = z.knots()[i], h = z.knots()[i + 1] - begin;
    const int n = std::max(2, static_cast<int>(std::ceil(h / resolution)));
    for (int k = 0; k < n; ++k) y.push_back(begin + h * k / n);
  }
  y.push_back(z.end());
  return y;
}

double arc_length(const spline::CubicSpline& z) {
  // Simpson's rule on pieces cut to the resolution
  const auto speed = [&](double y) { return std::hypot(1, z.derivative(y)); };
  const std::vector<double> y = places(z);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < y.size(); ++i) {
    const double h = y[i + 1] - y[i];
    sum += h * (speed(y[i]) + 4 * speed(y[i] + h / 2) + speed(y[i + 1])) / 6;
  }
  return sum;
}

// The first place from `from` on, in steps towards `to`, where `wanted` holds, made exact by
// bisection; nothing if there is none.
std::optional<double> first(double from, double to, const std::function<bool(double)>& wanted) {
  const int steps = std::max(1, static_cast<int>(std::abs(to - from) / resolution));
  double before = from;
  for (int k = 0; k <= steps; ++k) {
    double y = from + (to - from) * k / steps;
    if (!wanted(y)) {
      before = y;
      continue;
    }
    for (int i = 0; i < 60; ++i) {
      const double middle = (before + y) / 2;
      (wanted(middle) ? y : before) = middle;
    }
    return y;
  }
  return std::nullopt;
}

// Local extremes of curvature that stand out from their neighbours by a tenth of themselves and by
// 0.2/m: less is round-off of tables.
std::vector<CurvatureExtremum> clear_extrema(const std::vector<ProfileSample>& curve) {
  constexpr double least = 0.2, share = 0.1;
  std::vector<CurvatureExtremum> found;
  if (curve.empty()) return found;
  // walk with the last confirmed turning direction: a turn counts when the way back is clear
  int direction = 0;
  ProfileSample highest = curve[0], lowest = curve[0];
  for (const ProfileSample& s : curve) {
    if (s.curvature > highest.curvature) highest = s;
    if (s.curvature < lowest.curvature) lowest = s;
    const auto clear = [&](double extreme) {
      return std::abs(extreme - s.curvature) >
             std::max(least, share * std::max(std::abs(extreme), std::abs(s.curvature)));
    };
    if (direction >= 0 && clear(highest.curvature)) {
      if (direction > 0) found.push_back({highest.y, highest.curvature});
      direction = -1;
      lowest = highest = s;
    } else if (direction <= 0 && clear(lowest.curvature)) {
      if (direction < 0) found.push_back({lowest.y, lowest.curvature});
      direction = 1;
      lowest = highest = s;
    }
  }
  return found;
}

int sign_changes(const std::vector<ProfileSample>& curve) {
  // flatter than a radius of 20 m has no sign
  constexpr double flat = 0.05;
  int changes = 0, sign = 0;
  for (const ProfileSample& s : curve) {
    if (std::abs(s.curvature) < flat) continue;
    const int now = s.curvature > 0 ? 1 : -1;
    if (sign != 0 && now != sign) ++changes;
    sign = now;
  }
  return changes;
}

void measure_jumps(const spline::CubicSpline& z, ProfileReport& r) {
  for (std::size_t i = 1; i < z.pieces().size(); ++i) {
    const spline::CubicPiece &p = z.pieces()[i - 1], &q = z.pieces()[i];
    const double y = z.knots()[i];
    const double jumps[] = {q.value(y) - p.value(y), q.derivative(y) - p.derivative(y),
                            q.second_derivative(y) - p.second_derivative(y)};
    for (int k = 0; k < 3; ++k) {
      if (std::abs(jumps[k]) <= r.jump[k]) continue;
      r.jump[k] = std::abs(jumps[k]);
      r.jump_y[k] = y;
    }
  }
}

void measure_wheel(const Profile& p, double tip, ProfileReport& r) {
  const spline::CubicSpline& z = p.z;
  r.zone_begin = tip;
  r.zone_end = z.end();
  if (!z.contains(0) || z.value(tip) - z.value(0) < 5 * mm || tip >= 0) {
    r.zone_begin = z.begin();
    return;
  }
  r.flange_height = z.value(tip) - z.value(0);
  double steepest = 0;
  for (const double y : places(z)) {
    if (y > tip && y < 0) steepest = std::max(steepest, -z.derivative(y));
  }
  r.flange_angle = std::atan(steepest);
  // going up the flange from the tread
  const auto reaches = [&](double depth) {
    return first(0, tip, [&z, depth](double y) { return z.value(y) >= depth; });
  };
  const auto at_10 = reaches(z.value(0) + 10 * mm), near_tip = reaches(z.value(tip) - 2 * mm);
  if (at_10) r.flange_thickness = *at_10 - p.flange_back;
  if (at_10 && near_tip) r.flange_qr = *at_10 - *near_tip;
}

void measure_rail(const Profile& p, double top, ProfileReport& r) {
  const spline::CubicSpline& z = p.z;
  r.highest_y = top;
  const auto steep = [&z](double y) {
    return std::abs(z.derivative(y)) > std::tan(75 * M_PI / 180);
  };
  r.zone_begin = first(top, z.begin(), steep).value_or(z.begin());
  r.zone_end = first(top, z.end(), steep).value_or(z.end());
  // a side that was cut off because it is steep is continued straight for a few millimetres
  const auto side = [&](double end) -> std::optional<double> {
    const double depth = z.value(top) + 14 * mm;
    if (const auto y = first(top, end, [&](double u) { return z.value(u) >= depth; })) return y;
    const double missing = depth - z.value(end), slope = z.derivative(end);
    if (missing > 3 * mm || std::abs(slope) < 5) return std::nullopt;
    return end + missing / slope;
  };
  const auto left = side(z.begin()), right = side(z.end());
  if (left && right) r.head_width = *right - *left;
}

}  // namespace

ProfileSample sample(const Profile& profile, double y) {
  const double slope = profile.z.derivative(y);
  // the body of a wheel lies above its curve (z down), that of a rail below
  const double sign = profile.kind == ProfileKind::wheel ? -1 : 1;
  return {y, profile.z.value(y), std::atan(slope),
          sign * profile.z.second_derivative(y) / std::pow(1 + slope * slope, 1.5)};
}

std::vector<ProfileSample> samples(const Profile& profile, double step) {
  const double begin = profile.z.begin(), end = profile.z.end();
  std::vector<ProfileSample> list = {sample(profile, begin)};
  for (double k = std::floor(begin / step) + 1; k * step < end; k += 1) {
    if (k * step > begin) list.push_back(sample(profile, k * step));
  }
  list.push_back(sample(profile, end));
  return list;
}

ProfileReport profile_report(const Profile& profile) {
  const spline::CubicSpline& z = profile.z;
  ProfileReport r;
  r.begin = z.begin();
  r.end = z.end();
  r.pieces = z.pieces().size();
  r.shortest_piece = r.end - r.begin;
  for (std::size_t i = 1; i < z.knots().size(); ++i) {
    r.shortest_piece = std::min(r.shortest_piece, z.knots()[i] - z.knots()[i - 1]);
  }
  r.length = arc_length(z);

  const std::vector<double> all = places(z);
  const auto by_z = [&](double a, double b) { return z.value(a) < z.value(b); };
  const double highest = *std::min_element(all.begin(), all.end(), by_z);
  const double deepest = *std::max_element(all.begin(), all.end(), by_z);
  r.top = z.value(highest);
  r.bottom = z.value(deepest);
  if (profile.kind == ProfileKind::wheel) {
    measure_wheel(profile, deepest, r);
  } else {
    measure_rail(profile, highest, r);
  }

  std::vector<ProfileSample> zone;
  for (const double y : all) {
    if (y >= r.zone_begin && y <= r.zone_end) zone.push_back(sample(profile, y));
  }
  for (const ProfileSample& s : zone) {
    if (s.curvature > r.sharpest_convex.curvature) r.sharpest_convex = s;
    if (s.curvature < r.sharpest_concave.curvature) r.sharpest_concave = s;
  }
  r.extrema = clear_extrema(zone);
  r.curvature_sign_changes = sign_changes(zone);
  measure_jumps(z, r);
  return r;
}

}  // namespace klingel::profile
