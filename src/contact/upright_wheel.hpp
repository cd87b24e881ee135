// Places a wheel can take above a rail, for maps that are made once.
#pragma once

#include <cmath>

#include "contact/contact_search.hpp"

namespace klingel::contact {

// Calls visit(pose, s, anew) for a wheel in the middle of the rail: up to 15 mm off its place
// (`offset`, from the rail's origin) and rolled up to 40 mrad, the track's cant included. Along the
// places of one roll, `anew` at the first of them.
template <class Visit>
void for_each_place(const ContactSearch& search, double offset, Visit visit) {
  const spline::CubicSpline& f_w = search.wheel().f_w;
  const double s = (search.rail().line.begin() + search.rail().line.end()) / 2;
  const track::RailSection at = section(search.rail().line, s);
  const double height = f_w.value(0) + search.rail().f_r.value(0);
  for (double roll = -0.04; roll <= 0.04; roll += 0.005) {
    for (double y = -0.015; y <= 0.015; y += 2.5e-4) {
      WheelPose pose;
      pose.R_Gw.x = at.axes.x;
      pose.R_Gw.y = std::cos(roll) * at.axes.y + std::sin(roll) * at.axes.z;
      pose.R_Gw.z = cross(pose.R_Gw.x, pose.R_Gw.y);
      // turned about the wheel's lowest point, so that rolling does not move it sideways
      const spline::Vec3 lowest =
          at.origin + (offset + y) * at.axes.y + height * at.axes.z - f_w.value(0) * at.axes.z;
      pose.r_Ow = lowest + f_w.value(0) * pose.R_Gw.z;
      visit(pose, s, y == -0.015);
    }
  }
}

}  // namespace klingel::contact
