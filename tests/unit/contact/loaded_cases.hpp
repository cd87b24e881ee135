// Pairs for tests of loaded contact: shapes with closed answers, and the wheel and rail of the
// tables in tests/reference/loaded_*.csv: S1002 of 460 mm on 60E1, gauge 1435 mm, flange backs
// 1360 mm, steel with G = 82 GPa and Poisson 0.28.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "contact/charted_pair.hpp"
#include "contact/loaded_pair.hpp"
#include "contact_surfaces.hpp"
#include "profile/gauge.hpp"
#include "profile/named_profile.hpp"
#include "tests/support/random.hpp"

namespace klingel::contact::test {

// f(u) = top - curvature u^2, to 60 mm on both sides.
inline spline::CubicSpline parabola(double curvature, double top = 0) {
  const double w = 0.06;
  return {{-w, w}, {{0, -curvature, 2 * curvature * w, top - curvature * w * w, -w}}};
}

struct StandardWheel {
  spline::CubicSpline f_w, f_r;
  double y_rest;  // of O_w against the rail's origin, m

  explicit StandardWheel(const std::string& rail_name = "60E1:1:40") {
    const profile::Profile rail = profile::profile(rail_name, profile::ProfileKind::rail);
    f_w = wheel_function(profile::profile("S1002", profile::ProfileKind::wheel),
                         profile::Side::left, 0.46);
    f_r = rail_function(rail, profile::Side::left);
    y_rest = 0.750 - rail_distance(profile::standard_gauge, rail) / 2;
  }
};

inline const HertzTable& steel() {
  static const HertzTable table(2 * 82e9 * 1.28, 0.28);
  return table;
}

// Made once per program.
inline const StandardWheel& standard_wheel(const std::string& rail = "60E1:1:40") {
  static std::map<std::string, StandardWheel> all;
  return all.try_emplace(rail, rail).first->second;
}
inline const LoadedPair& standard_loaded(double load = 60e3,
                                         const std::string& rail = "60E1:1:40") {
  static std::map<std::pair<std::string, double>, std::unique_ptr<LoadedPair>> all;
  std::unique_ptr<LoadedPair>& pair = all[{rail, load}];
  if (!pair) {
    const StandardWheel& w = standard_wheel(rail);
    pair = std::make_unique<LoadedPair>(loaded_pair(w.f_w, w.f_r, w.y_rest, load, steel()));
  }
  return *pair;
}
inline const ChartedPair& standard_charts() {
  static const ChartedPair charts = charted(standard_loaded(), standard_wheel().f_w);
  return charts;
}

// The pose of a left wheel whose axis has the direction (e_t, e_c, e_n), in a base of a straight
// rail along x.
inline WheelPose pose_of(const SectionPose& p) {
  const spline::Vec3 axis{p.e_t, std::sqrt(1 - p.e_t * p.e_t - p.e_n * p.e_n), p.e_n};
  const spline::Vec3 forward = unit(cross(axis, spline::Vec3{0, 0, 1}));
  return {{0, p.y, p.z}, {forward, axis, cross(forward, axis)}};
}

// Where O_w is at a place of a chart's row.
inline SectionPose pose_of_row(const LoadedGap& gap, double across, double down, double e_n,
                               double e_t, double tilt) {
  const double c = std::cos(tilt), s = std::sin(tilt), r0 = gap.r0();
  return {across * c - down * s - r0 * e_n, across * s + down * c + r0 * (1 - e_n * e_n / 2), e_n,
          e_t};
}

}  // namespace klingel::contact::test
