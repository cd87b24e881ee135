#include "track/rail_frame.hpp"

namespace klingel::track {

RailFrame rail_frame(const RailLine& line, double s_r) noexcept {
  // the four splines share their knots: one look-up
  const std::size_t i = line.x.index(s_r);
  const spline::CubicPiece &x = line.x.pieces()[i], &y = line.y.pieces()[i],
                           &z = line.z.pieces()[i], &theta = line.theta.pieces()[i];
  const spline::Vec3 C1{x.derivative(s_r), y.derivative(s_r), z.derivative(s_r)};
  const spline::Vec3 C2{x.second_derivative(s_r), y.second_derivative(s_r),
                        z.second_derivative(s_r)};
  const spline::Vec3 C3{6 * x.a, 6 * y.a, 6 * z.a};

  RailFrame frame;
  frame.origin = {x.value(s_r), y.value(s_r), z.value(s_r)};
  frame.v = norm(C1);
  const double per_v = 1 / frame.v;
  const spline::Vec3 t = per_v * C1;
  frame.dv = dot(C2, t);

  // c: the horizontal normal turned by theta about t
  const double g = C1.x * C1.x + C1.y * C1.y;
  const double per_h = 1 / std::sqrt(g), per_g = per_h * per_h;
  const spline::Vec3 c_h{-C1.y * per_h, C1.x * per_h, 0};
  const double angle = theta.value(s_r);
  const spline::Vec3 c = std::cos(angle) * c_h + std::sin(angle) * cross(t, c_h);
  const spline::Vec3 n = cross(t, c);
  frame.axes = {t, c, n};

  // rates of turning; psi' of the heading atan2(y', x')
  const double dpsi = (C1.x * C2.y - C1.y * C2.x) * per_g;
  const double k_c = -dot(n, C2) * per_v;
  const double k_n = dot(c, C2) * per_v;
  const double k_t = theta.derivative(s_r) + dpsi * t.z;
  frame.k = {k_t, k_c, k_n};

  // their derivatives, with c' = -k_n t + k_t n and n' = k_c t - k_t c
  const double ddpsi = (C1.x * C3.y - C1.y * C3.x - 2 * dpsi * (C1.x * C2.x + C1.y * C2.y)) * per_g;
  const double dt_z = k_n * c.z - k_c * n.z;
  const double t_C2 = frame.dv, c_C2 = k_n * frame.v, n_C2 = -k_c * frame.v;
  const double turn = frame.dv * per_v;
  frame.dk.x = theta.second_derivative(s_r) + ddpsi * t.z + dpsi * dt_z;
  frame.dk.y = -(dot(n, C3) + k_c * t_C2 - k_t * c_C2) * per_v - k_c * turn;
  frame.dk.z = (dot(c, C3) - k_n * t_C2 + k_t * n_C2) * per_v - k_n * turn;
  return frame;
}

}  // namespace klingel::track
