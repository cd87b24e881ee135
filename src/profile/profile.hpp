// The cross-section of a wheel's tread and flange or of a rail's head: one
// profile for both sides of a vehicle, in the coordinates of the right-hand side:
//
//   y  outwards (to the field side), m
//   z  downwards, m: a wheel's radius is r0 + z(y), a rail's height is -z(y)
//
// A wheel's y = 0 is its taping line; its flange is at negative y, its flange back 70 mm from
// the taping line (flange_back below). A rail's gauge face is at negative y. What the contact uses
// is made from it by wheel_function and rail_function, in the article's coordinates (u along the y
// axis of the vehicle, to the left).
#pragma once

#include <string>

#include "spline/cubic_spline.hpp"

namespace klingel::profile {

enum class ProfileKind { wheel, rail };
enum class Side { left, right };

struct Profile {
  std::string name;
  ProfileKind kind = ProfileKind::wheel;
  spline::CubicSpline z;        // of y, both in m
  double flange_back = -0.070;  // y of the flange back, wheels only
};

// f_w(u_w) > 0 of a wheel of taping-line radius r0 on the given side, u_w = 0 at the taping line.
spline::CubicSpline wheel_function(const Profile& wheel, Side side, double r0);

// f_r(u_r): height of the rail's surface over its origin, u_r = 0 at the profile's y = 0.
spline::CubicSpline rail_function(const Profile& rail, Side side);

// The profile's y at the article's u, and the reverse: y = -u on the right, y = u on the left.
inline double profile_y(Side side, double u) { return side == Side::left ? u : -u; }

}  // namespace klingel::profile
