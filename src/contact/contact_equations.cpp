#include "contact/contact_equations.hpp"

#include <limits>

namespace klingel::contact {
namespace {

ProfileAt<double> profile_at(const spline::CubicSpline& f, double u) {
  const spline::CubicPiece& piece = f.piece(u);
  return {piece.value(u), piece.derivative(u), piece.second_derivative(u)};
}

double radius(double slope, double bend) {
  const double w2 = 1 + slope * slope;
  return bend == 0 ? std::numeric_limits<double>::infinity() : -w2 * std::sqrt(w2) / bend;
}

}  // namespace

ContactEquations contact_equations(const WheelSurface& wheel, const RailSurface& rail,
                                   const WheelPose& pose, const ContactCoordinates& s) noexcept {
  ContactEquations e;
  e.wheel = profile_at(wheel.f_w, s.u_w);
  e.rail = profile_at(rail.f_r, s.u_r);
  const track::RailFrame F = rail_frame(rail.line, s.s_r);
  const spline::Vec3 radial = std::cos(s.theta_w) * pose.R_Gw.x - std::sin(s.theta_w) * pose.R_Gw.z;
  const RailPoint<double> at_rail = rail_point(F, e.rail, s.u_r);
  const WheelPoint<double> at_wheel = wheel_point(F, pose.R_Gw.y, radial, e.wheel, s.u_w);
  const spline::Vec3 r =
      to_child(F.axes, pose.r_Ow - F.origin) + at_wheel.arm - spline::Vec3{0, s.u_r, e.rail.f};
  static_cast<ContactConstraints<double>&>(e) =
      contact_constraints(at_rail, e.rail, at_wheel, e.wheel, r);
  e.rail_speed = at_rail.length_x;
  e.rail_bend = dot(at_rail.n_r, at_rail.dW_ds);
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
  const double w = std::sqrt(1 + e.wheel.df * e.wheel.df), r = std::sqrt(1 + e.rail.df * e.rail.df);
  ContactPoint point;
  point.s = s;
  point.gap = e.phi_n;
  point.angle = std::atan(e.rail.df);
  point.Rw_x = e.wheel.f * w;
  point.Rw_y = radius(e.wheel.df, e.wheel.ddf);
  point.Rr_x = e.rail_bend == 0 ? std::numeric_limits<double>::infinity()
                                : -e.rail_speed * e.rail_speed / e.rail_bend;
  point.Rr_y = radius(e.rail.df, e.rail.ddf);
  point.det = determinant / (e.wheel.f * w * e.rail_speed * r) * point.Rw_x;
  return point;
}

}  // namespace klingel::contact
