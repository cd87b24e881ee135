#include "contact/contact_equations.hpp"

#include <limits>

namespace klingel::contact {
namespace {

// The derivative of the unit vector of a, from da; n = a / |a|, per = 1 / |a|.
spline::Vec3 unit_rate(const spline::Vec3& n, double per, const spline::Vec3& da) {
  return per * (da - dot(n, da) * n);
}

double radius(double slope, double bend) {
  const double w2 = 1 + slope * slope;
  return bend == 0 ? std::numeric_limits<double>::infinity() : -w2 * std::sqrt(w2) / bend;
}

}  // namespace

ContactEquations contact_equations(const WheelSurface& wheel, const RailSurface& rail,
                                   const WheelPose& pose, const ContactCoordinates& s) noexcept {
  ContactEquations e;
  const track::RailFrame F = rail_frame(rail.line, s.s_r);
  const spline::CubicPiece& w = wheel.f_w.piece(s.u_w);
  const spline::CubicPiece& r = rail.f_r.piece(s.u_r);
  e.f_w = w.value(s.u_w);
  e.df_w = w.derivative(s.u_w);
  e.ddf_w = w.second_derivative(s.u_w);
  const double f_r = r.value(s.u_r);
  e.df_r = r.derivative(s.u_r);
  e.ddf_r = r.second_derivative(s.u_r);

  // everything in components of the rail's frame; a derivative by s_r of a vector fixed to the
  // rail is that of its components plus k x vector
  const spline::Vec3 e_x = to_child(F.axes, pose.R_Gw.x), e_y = to_child(F.axes, pose.R_Gw.y),
                     e_z = to_child(F.axes, pose.R_Gw.z),
                     O = to_child(F.axes, pose.r_Ow - F.origin);

  // wheel: point, tangents, and how they change with theta_w and u_w
  const double cos_t = std::cos(s.theta_w), sin_t = std::sin(s.theta_w);
  const spline::Vec3 radial = cos_t * e_x - sin_t * e_z;
  const spline::Vec3 t_wx = -sin_t * e_x - cos_t * e_z;
  const double length_w = std::sqrt(1 + e.df_w * e.df_w), per_w = 1 / length_w;
  const spline::Vec3 t_wy = per_w * (e.df_w * radial + e_y);
  const spline::Vec3 dt_wy_du = e.ddf_w * per_w * per_w * per_w * (radial - e.df_w * e_y);
  const spline::Vec3 P_w = O + e.f_w * radial + s.u_w * e_y;

  // rail: W = d r_OrPr / d s_r and T = t_ry
  const spline::Vec3 p{0, s.u_r, f_r};
  const spline::Vec3 W{F.v + F.k.y * f_r - F.k.z * s.u_r, -F.k.x * f_r, F.k.x * s.u_r};
  const spline::Vec3 dW_ds =
      spline::Vec3{F.dv + F.dk.y * f_r - F.dk.z * s.u_r, -F.dk.x * f_r, F.dk.x * s.u_r} +
      cross(F.k, W);
  const spline::Vec3 dW_du{F.k.y * e.df_r - F.k.z, -F.k.x * e.df_r, F.k.x};
  e.rail_speed = norm(W);
  const double per_W = 1 / e.rail_speed;
  const spline::Vec3 X = per_W * W;
  const double length_r = std::sqrt(1 + e.df_r * e.df_r), per_r = 1 / length_r;
  const spline::Vec3 T{0, per_r, per_r * e.df_r};
  const double bend = e.ddf_r * per_r * per_r * per_r;
  const spline::Vec3 dX_ds = unit_rate(X, per_W, dW_ds), dX_du = unit_rate(X, per_W, dW_du);
  const spline::Vec3 dT_ds = cross(F.k, T), dT_du{0, -bend * e.df_r, bend};

  const spline::Vec3 m = cross(X, T);
  const double per_m = 1 / norm(m);
  const spline::Vec3 n = per_m * m;
  const spline::Vec3 dn_ds = unit_rate(n, per_m, cross(dX_ds, T) + cross(X, dT_ds));
  const spline::Vec3 dn_du = unit_rate(n, per_m, cross(dX_du, T) + cross(X, dT_du));

  const spline::Vec3 d = P_w - p;
  e.phi_n = dot(n, d);
  e.rail_bend = dot(n, dW_ds);
  e.phi_d[0] = dot(X, d);
  e.phi_d[1] = dot(T, d);
  e.phi_d[2] = dot(t_wx, n);
  e.phi_d[3] = dot(t_wy, n);

  const auto row = [&e](int i, double theta_w, double u_w, double s_r, double u_r) {
    e.dphi_d_ds[i][0] = theta_w;
    e.dphi_d_ds[i][1] = u_w;
    e.dphi_d_ds[i][2] = s_r;
    e.dphi_d_ds[i][3] = u_r;
  };
  // d P_w/d theta_w = f_w t_wx, d P_w/d u_w = length_w t_wy, d P_r/d s_r = W, d P_r/d u_r = T /
  // per_r
  row(0, e.f_w * dot(X, t_wx), dot(X, t_wy) * length_w, dot(dX_ds, d) - dot(X, W),
      dot(dX_du, d) - dot(X, T) * length_r);
  row(1, e.f_w * dot(T, t_wx), dot(T, t_wy) * length_w, dot(dT_ds, d) - dot(T, W),
      dot(dT_du, d) - length_r);
  // d t_wx/d theta_w = -radial, d t_wy/d theta_w = per_w f_w' t_wx
  row(2, -dot(radial, n), 0, dot(t_wx, dn_ds), dot(t_wx, dn_du));
  row(3, per_w * e.df_w * e.phi_d[2], dot(dt_wy_du, n), dot(t_wy, dn_ds), dot(t_wy, dn_du));
  return e;
}

double newton_step(const ContactEquations& e, double (&ds)[4]) noexcept {
  // rows 0, 1 and columns s_r, u_r: the rail's point follows the wheel's along two tangents of the
  // rail that are nearly perpendicular, so this block B is always far from singular
  const auto& A = e.dphi_d_ds;
  const double det_B = A[0][2] * A[1][3] - A[0][3] * A[1][2];
  const double per_B = 1 / det_B;
  const auto follow = [&](double a, double b, double& s_r, double& u_r) {
    s_r = (A[1][3] * a - A[0][3] * b) * per_B;
    u_r = (A[0][2] * b - A[1][2] * a) * per_B;
  };
  double s0, u0, s1, u1, s2, u2;
  follow(-e.phi_d[0], -e.phi_d[1], s0, u0);
  follow(-A[0][0], -A[1][0], s1, u1);
  follow(-A[0][1], -A[1][1], s2, u2);

  // what is left for theta_w and u_w: the tangents
  const double C00 = A[2][0] + A[2][2] * s1 + A[2][3] * u1;
  const double C01 = A[2][1] + A[2][2] * s2 + A[2][3] * u2;
  const double C10 = A[3][0] + A[3][2] * s1 + A[3][3] * u1;
  const double C11 = A[3][1] + A[3][2] * s2 + A[3][3] * u2;
  const double b0 = -e.phi_d[2] - A[2][2] * s0 - A[2][3] * u0;
  const double b1 = -e.phi_d[3] - A[3][2] * s0 - A[3][3] * u0;
  const double det_C = C00 * C11 - C01 * C10;
  const double determinant = det_B * det_C;
  // not(x > 0) also catches NaN
  if (!(std::abs(determinant) > 0)) {
    ds[0] = ds[1] = ds[2] = ds[3] = 0;
    return 0;
  }
  const double per_C = 1 / det_C;
  ds[0] = (C11 * b0 - C01 * b1) * per_C;
  ds[1] = (C00 * b1 - C10 * b0) * per_C;
  ds[2] = s0 + s1 * ds[0] + s2 * ds[1];
  ds[3] = u0 + u1 * ds[0] + u2 * ds[1];
  return determinant;
}

ContactPoint contact_point(const ContactEquations& e, const ContactCoordinates& s,
                           double determinant) noexcept {
  const double w = std::sqrt(1 + e.df_w * e.df_w), r = std::sqrt(1 + e.df_r * e.df_r);
  ContactPoint point;
  point.s = s;
  point.gap = e.phi_n;
  point.angle = std::atan(e.df_r);
  point.Rw_x = e.f_w * w;
  point.Rw_y = radius(e.df_w, e.ddf_w);
  point.Rr_x = e.rail_bend == 0 ? std::numeric_limits<double>::infinity()
                                : -e.rail_speed * e.rail_speed / e.rail_bend;
  point.Rr_y = radius(e.df_r, e.ddf_r);
  point.det = determinant / (e.f_w * w * e.rail_speed * r) * point.Rw_x;
  return point;
}

}  // namespace klingel::contact
