// The frame of a rail's section and how it turns along the rail: what section() gives, with first
// and second derivatives by s_r. With k the rate of turning in components of the frame itself,
//
//   t' = k x t,  c' = k x c,  n' = k x n,   k = (k_t, k_c, k_n)
//   k_c = -n . C'' / v,   k_n = c . C'' / v,   k_t = theta' + psi' t_z
//
// where C is the base line, v = |C'| and psi its heading. k' needs third derivatives of the line,
// which are constant in a cubic piece.
//
// T is a number, four of them, or an expression: the symbolic contact is made of the same lines.
// Hence at most one operand of a sum or product is computed in place (see vec3.hpp).
#pragma once

#include "base/multiply_add.hpp"
#include "base/pack_functions.hpp"
#include "spline/vec3.hpp"
#include "track/rail_line.hpp"

namespace klingel::track {

// The line at one place: C and theta with their derivatives by s_r.
template <class T>
struct LineAt {
  spline::Vector3<T> C, C1, C2, C3;
  T theta{}, dtheta{}, ddtheta{};
};

template <class T>
struct RailFrameOf {
  spline::Vector3<T> origin;  // base line at s_r
  spline::AxesOf<T> axes;     // t, c, n as columns, in the ground
  T v{};                      // length of base line per unit of s_r
  T dv{};                     // its derivative
  // rate of turning per unit of s_r, in the frame, and its derivative there
  spline::Vector3<T> k, dk;
};
using RailFrame = RailFrameOf<double>;

// c + a b and c - a b, of packs with one rounding.
template <class T>
T plus_product(const T& c, const T& a, const T& b) {
  if constexpr (requires { base::multiply_add(a, b, c); })
    return base::multiply_add(a, b, c);
  else
    return c + a * b;
}
template <class T>
T minus_product(const T& c, const T& a, const T& b) {
  if constexpr (requires { base::subtract_product(a, b, c); })
    return base::subtract_product(a, b, c);
  else
    return c - a * b;
}
template <class T>
T inner(const spline::Vector3<T>& a, const spline::Vector3<T>& b) {
  const T x = a.x * b.x, xy = plus_product(x, a.y, b.y);
  return plus_product(xy, a.z, b.z);
}
// a b - c d
template <class T>
T minor(const T& a, const T& b, const T& c, const T& d) {
  const T first = a * b;
  return minus_product(first, c, d);
}

// t, c, n with c the horizontal normal turned by theta about t; per_v and per_h are one over the
// lengths of C' and of its horizontal part.
template <class T>
spline::AxesOf<T> section_axes(const LineAt<T>& line, const T& per_v, const T& per_h) {
  using base::cos, base::sin;
  using std::cos, std::sin;
  const spline::Vector3<T> t = per_v * line.C1;
  const T h_x = -line.C1.y * per_h, h_y = line.C1.x * per_h;
  const T up = minor(t.x, h_y, t.y, h_x);
  const T cosine = cos(line.theta), sine = sin(line.theta);
  const T up_x = -t.z * h_y, up_y = t.z * h_x;
  const T level_x = cosine * h_x, c_x = plus_product(level_x, sine, up_x);
  const T level_y = cosine * h_y, c_y = plus_product(level_y, sine, up_y);
  const spline::Vector3<T> c = {c_x, c_y, sine * up};
  return {t, c, {minor(t.y, c.z, t.z, c.y), minor(t.z, c.x, t.x, c.z), minor(t.x, c.y, t.y, c.x)}};
}

template <class T>
RailFrameOf<T> rail_frame(const LineAt<T>& line) {
  using base::sqrt, std::sqrt;
  using Vector = spline::Vector3<T>;
  const Vector &C1 = line.C1, &C2 = line.C2, &C3 = line.C3;
  const T v = sqrt(inner(C1, C1)), per_v = 1 / v;
  const T square = C1.x * C1.x, horizontal = plus_product(square, C1.y, C1.y);
  const T per_h = 1 / sqrt(horizontal), per_g = per_h * per_h;
  const spline::AxesOf<T> axes = section_axes(line, per_v, per_h);
  const Vector &t = axes.x, &c = axes.y, &n = axes.z;

  // rates of turning; psi' of the heading atan2(y', x')
  const T dpsi = minor(C1.x, C2.y, C1.y, C2.x) * per_g;
  const T dv = inner(C2, t);
  const T k_c = -inner(n, C2) * per_v, k_n = inner(c, C2) * per_v;
  const T k_t = plus_product(line.dtheta, dpsi, t.z);

  // their derivatives, with c' = -k_n t + k_t n and n' = k_c t - k_t c
  const T along = C1.x * C2.x, stretch = plus_product(along, C1.y, C2.y), twice = 2 * dpsi;
  const T bend = minor(C1.x, C3.y, C1.y, C3.x);
  const T ddpsi = minus_product(bend, twice, stretch) * per_g;
  const T dt_z = minor(k_n, c.z, k_c, n.z);
  const T turn = dv * per_v, c_C2 = k_n * v, n_C2 = -k_c * v;
  Vector dk = {line.ddtheta, inner(n, C3), inner(c, C3)};
  dk.x = plus_product(dk.x, ddpsi, t.z), dk.x = plus_product(dk.x, dpsi, dt_z);
  dk.y = plus_product(dk.y, k_c, dv), dk.y = minus_product(dk.y, k_t, c_C2);
  dk.z = minus_product(dk.z, k_n, dv), dk.z = plus_product(dk.z, k_t, n_C2);
  dk.y = -dk.y * per_v, dk.y = minus_product(dk.y, k_c, turn);
  dk.z = dk.z * per_v, dk.z = minus_product(dk.z, k_n, turn);
  return {line.C, axes, v, dv, {k_t, k_c, k_n}, dk};
}

RailFrame rail_frame(const RailLine& line, double s_r) noexcept;

}  // namespace klingel::track
