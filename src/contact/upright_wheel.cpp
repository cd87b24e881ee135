#include "contact/upright_wheel.hpp"

#include <cmath>

namespace klingel::contact {
namespace {

void keep(const MinimumList& minima, UprightWheel::List& list) {
  for (const Minimum& m : minima)
    list.found[static_cast<std::size_t>(list.count++)] = {m.point.s.u_w, m.point.s.u_r, m.point.gap,
                                                          m.status};
}

}  // namespace

UprightWheel::UprightWheel(const ContactSearch& search, const Interval& tread,
                           const Interval& flange, double offset)
    : search_(&search),
      tread_(tread),
      flange_(flange),
      offset_(offset),
      found_(static_cast<std::size_t>(rolls * places)) {
  const spline::CubicSpline& f_w = search.wheel().f_w;
  const double s = (search.rail().line.begin() + search.rail().line.end()) / 2;
  const track::RailSection at = section(search.rail().line, s);
  const double height = f_w.value(0) + search.rail().f_r.value(0);
  for (int i = 0; i < rolls; ++i) {
    const double roll = step_roll * i - most_roll;
    WheelPose pose;
    pose.R_Gw.x = at.axes.x;
    pose.R_Gw.y = std::cos(roll) * at.axes.y + std::sin(roll) * at.axes.z;
    pose.R_Gw.z = cross(pose.R_Gw.x, pose.R_Gw.y);
    for (int k = 0; k < places; ++k) {
      const double y = step_y * k - most_y;
      // turned about the wheel's lowest point, so that rolling does not move it sideways
      const spline::Vec3 lowest =
          at.origin + (offset + y) * at.axes.y + height * at.axes.z - f_w.value(0) * at.axes.z;
      pose.r_Ow = lowest + f_w.value(0) * pose.R_Gw.z;
      Place& place = found_[static_cast<std::size_t>(i * places + k)];
      keep(search.minima(pose, s, tread), place.tread);
      if (!flange.empty()) keep(search.minima(pose, s, flange), place.flange);
    }
  }
}

}  // namespace klingel::contact
