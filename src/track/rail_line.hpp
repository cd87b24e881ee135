// The base line of one rail along the track, and the frame of its section there: four splines of
// the abscissa s_r, x, y, z in m and the cant angle theta in rad.
//
//   t  unit tangent of (x, y, z)
//   c  unit, perpendicular to t: the horizontal normal (to the left) turned by theta about t
//   n  = t x c, upwards
//   a point of the rail's surface: r_OP = (x, y, z) + u_r c + f_r(u_r) n
//
// All four splines have the same knots, so that one look-up finds the pieces of all.
#pragma once

#include "spline/cubic_spline.hpp"
#include "spline/vec3.hpp"

namespace klingel::track {

struct RailLine {
  spline::CubicSpline x, y, z, theta;

  double begin() const { return x.begin(); }
  double end() const { return x.end(); }
};

struct RailSection {
  spline::Vec3 origin;  // base line at s_r
  spline::Axes axes;    // t, c, n as columns x, y, z
  double ds = 1;        // length of base line per unit of s_r
};

RailSection section(const RailLine& line, double s_r) noexcept;

}  // namespace klingel::track
