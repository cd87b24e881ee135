// Wheels above straight rails, for maps and charts that are made once.
#pragma once

#include <random>

#include "contact/upright_wheel.hpp"
#include "profile/named_profile.hpp"
#include "tests/unit/contact/contact_surfaces.hpp"
#include "track/rail_frame.hpp"

namespace klingel::contact::test {

// a left wheel above a straight rail
struct UprightPair {
  WheelSurface wheel;
  RailSurface rail;
  ContactSearch search{wheel, rail};
  Interval tread, flange;
  double most_roll = 0.02;

  // of the article's locomotive
  UprightPair()
      : wheel{metre_gauge_wheel()},
        rail{metre_gauge_rail(), straight_line()},
        tread{-0.033, wheel.f_w.end()},
        flange{-0.055, -0.033} {}
  // S1002 on 60E1: two minima side by side on a fifth of a millimetre of the lateral place
  explicit UprightPair(double radius)
      : wheel{wheel_function(profile::profile("S1002", profile::ProfileKind::wheel),
                             profile::Side::left, radius)},
        rail{rail_function(profile::profile("60E1:1:40", profile::ProfileKind::rail),
                           profile::Side::left),
             straight_line()},
        tread{-0.042, wheel.f_w.end()},
        flange{-0.055, -0.042},
        most_roll(0.004) {}

  UprightWheel upright() const { return {search, tread, flange, 0}; }

  // off its place, rolled and yawed as wheels are, not at the places the maps were made for
  WheelPose pose(std::mt19937& random, double y) const {
    std::uniform_real_distribution<double> unit(-1, 1);
    const track::RailSection at = section(rail.line, 1.3);
    const double roll = most_roll * unit(random), yaw = 0.01 * unit(random);
    WheelPose p;
    const spline::Vec3 across = std::cos(yaw) * at.axes.y - std::sin(yaw) * at.axes.x;
    p.R_Gw.x = std::cos(yaw) * at.axes.x + std::sin(yaw) * at.axes.y;
    p.R_Gw.y = std::cos(roll) * across + std::sin(roll) * at.axes.z;
    p.R_Gw.z = cross(p.R_Gw.x, p.R_Gw.y);
    const double top = rail.f_r.value(0);
    p.r_Ow = at.origin + y * at.axes.y + top * at.axes.z + wheel.f_w.value(0) * p.R_Gw.z;
    return p;
  }

  const Minimum* lowest(const MinimumList& list) const {
    const Minimum* best = nullptr;
    for (const Minimum& m : list) {
      if (m.status != ContactStatus::converged) continue;
      if (best == nullptr || m.point.gap < best->point.gap) best = &m;
    }
    return best;
  }
};

}  // namespace klingel::contact::test
