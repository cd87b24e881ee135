// A wheel seen along the rail: the rail's section under it, and the wheel in its components
// (t, c, n). Seen so, the wheel is a curve, its silhouette.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/surfaces.hpp"

namespace klingel::contact {

struct RailView {
  double s_r = 0, ds = 1;
  spline::Vec3 O, e_x, e_y, e_z;
  spline::Vec3 t;    // in the wheel's base
  double per_A = 1;  // 1 / hypot(t.x, t.z)

  RailView() = default;
  RailView(const track::RailSection& S, double s, const WheelPose& pose)
      : s_r(s),
        ds(S.ds),
        O(to_child(S.axes, pose.r_Ow - S.origin)),
        e_x(to_child(S.axes, pose.R_Gw.x)),
        e_y(to_child(S.axes, pose.R_Gw.y)),
        e_z(to_child(S.axes, pose.R_Gw.z)),
        t{e_x.x, e_y.x, e_z.x},
        per_A(1 / std::sqrt(t.x * t.x + t.z * t.z)) {}

  // A point of the silhouette: n_w . t = 0 gives cos(theta_w + phi) = f_w' t_y / A with
  // phi = atan2(t_z, t_x), A = hypot(t_x, t_z); the lower of the two solutions, without angles.
  struct Point {
    double cos_t, sin_t;
    double radial_y, radial_z;  // away from the axis
    double y, z, dy, dz;
  };
  Point silhouette(double u, double f, double df) const {
    const double k = std::clamp(df * t.y * per_A, -0.999, 0.999);
    const double root = std::sqrt(1 - k * k);
    const double cos_t = (k * t.x + root * t.z) * per_A, sin_t = (root * t.x - k * t.z) * per_A;
    const double radial_y = cos_t * e_x.y - sin_t * e_z.y;
    const double radial_z = cos_t * e_x.z - sin_t * e_z.z;
    return {cos_t,
            sin_t,
            radial_y,
            radial_z,
            O.y + f * radial_y + u * e_y.y,
            O.z + f * radial_z + u * e_y.z,
            df * radial_y + e_y.y,
            df * radial_z + e_y.z};
  }
  // Coordinates of a pair of points: p of the wheel at u, v of the rail.
  ContactCoordinates coordinates(const Point& p, double u, double f, double v) const {
    const double x = O.x + f * (p.cos_t * e_x.x - p.sin_t * e_z.x) + u * e_y.x;
    return {std::atan2(p.sin_t, p.cos_t), u, s_r + x / ds, v};
  }
};

}  // namespace klingel::contact
