// Wheels on rails for tests of the search: two pairs of profiles, straight and bent rails, and
// random poses that lie within 2 mm of touching with the tread or overlap with the flange.
#pragma once

#include "brute_force.hpp"
#include "contact/contact_search.hpp"
#include "contact_surfaces.hpp"
#include "profile/gauge.hpp"
#include "profile/named_profile.hpp"
#include "tests/support/random.hpp"

namespace klingel::contact::test {

struct Pair {
  const char* name;
  WheelSurface wheel;
  RailSurface rail;
  double y, z;  // of the wheel's reference point over the rail's base line when centred
};

inline Pair metre_gauge_pair(const track::RailLine& line) {
  return {"metre gauge", {metre_gauge_wheel()}, {metre_gauge_rail(), line}, 0, 0.659};
}

// Left side at gauge 1435 and flange backs at 1360.
inline Pair standard_pair(const track::RailLine& line) {
  const profile::Profile rail = profile::profile("60E1:1:40", profile::ProfileKind::rail);
  return {"S1002 on 60E1",
          {wheel_function(profile::profile("S1002", profile::ProfileKind::wheel),
                          profile::Side::left, 0.46)},
          {rail_function(rail, profile::Side::left), line},
          0.750 - rail_distance(profile::standard_gauge, rail) / 2,
          0.46};
}

struct RandomPose {
  WheelPose pose;
  double s_r;
};

inline RandomPose random_pose(const Pair& pair, const ContactSearch& search,
                              klingel::test::Random& random) {
  RandomPose r;
  r.s_r = random.within(40);
  r.pose = pose_at(pair.rail.line, r.s_r, pair.y + random.within(0.012), pair.z,
                   random.within(0.03), random.within(0.04));
  // down onto the tread, but not more than 5 mm deep with the flange
  const spline::Vec3 up = section(pair.rail.line, r.s_r).axes.z;
  double first = std::numeric_limits<double>::infinity(), tread = first;
  for (const Minimum& m : search.drop(r.pose, r.s_r, up)) {
    if (m.status == ContactStatus::profile_end) continue;
    first = std::min(first, m.distance);
    if (m.point.s.u_w > -0.03) tread = std::min(tread, m.distance);
  }
  const double travel = std::min(tread, first + 0.005) + random.within(0.002);
  r.pose.r_Ow = r.pose.r_Ow - travel * up;
  return r;
}

}  // namespace klingel::contact::test
