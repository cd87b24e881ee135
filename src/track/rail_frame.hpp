// The frame of a rail's section and how it turns along the rail: what section() gives, with first
// and second derivatives by s_r. With k the rate of turning in components of the frame itself,
//
//   t' = k x t,  c' = k x c,  n' = k x n,   k = (k_t, k_c, k_n)
//   k_c = -n . C'' / v,   k_n = c . C'' / v,   k_t = theta' + psi' t_z
//
// where C is the base line, v = |C'| and psi its heading. k' needs third derivatives of the line,
// which are constant in a cubic piece.
#pragma once

#include "spline/vec3.hpp"
#include "track/rail_line.hpp"

namespace klingel::track {

struct RailFrame {
  spline::Vec3 origin;  // base line at s_r
  spline::Axes axes;    // t, c, n as columns, in the ground
  double v = 1;         // length of base line per unit of s_r
  double dv = 0;        // its derivative
  spline::Vec3 k, dk;   // rate of turning per unit of s_r, in the frame, and its derivative there
};

RailFrame rail_frame(const RailLine& line, double s_r) noexcept;

}  // namespace klingel::track
