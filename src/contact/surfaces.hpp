// One wheel on one rail in numbers: the two surfaces, the place of the wheel, and a pair of points
// on them. Searching the pair is in contact_search.hpp.
#pragma once

#include "spline/cubic_spline.hpp"
#include "spline/vec3.hpp"
#include "track/rail_line.hpp"

namespace klingel::contact {

// A surface of revolution about the wheel's y axis:
//   r_OwPw = f_w(u_w) cos(theta_w) e_x + u_w e_y - f_w(u_w) sin(theta_w) e_z      [eq:OwPw]
// in the base that does not spin; theta_w = pi/2 is the lowest point of a wheel that stands
// upright.
struct WheelSurface {
  spline::CubicSpline f_w;
};

// A rail's surface: its profile along its line.
struct RailSurface {
  spline::CubicSpline f_r;
  track::RailLine line;
};

// Where the wheel is: its reference point O_w and its non-spinning base, in the ground.
struct WheelPose {
  spline::Vec3 r_Ow;
  spline::Axes R_Gw;
};

// Contact coordinates, in the article's order.
struct ContactCoordinates {
  double theta_w = 0, u_w = 0, s_r = 0, u_r = 0;
};

// A solution of the tangent constraints phi_d = 0.
struct ContactPoint {
  ContactCoordinates s;
  double gap = 0;    // phi_n = n_r . r_PrPw, m; negative: the surfaces overlap
  double angle = 0;  // contact angle: of t_ry against the horizontal of the rail's section, rad
  // Radii in the planes of rolling (x) and across (y), m, positive where convex, negative where
  // concave, infinite where flat.
  double Rw_x = 0, Rw_y = 0, Rr_x = 0, Rr_y = 0;
  double det = 0;  // of dphi_d_ds: vanishes where the contact jumps
};

}  // namespace klingel::contact
