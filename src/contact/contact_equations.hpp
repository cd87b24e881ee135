// The constraints of one contact, phi_n and phi_d, and the derivative of phi_d by the contact
// coordinates s, for curved, canted and twisted rails. n_r is a unit vector also where t_rx and
// t_ry are not perpendicular.
//
// They exist once, in the base (t, c, n) of the rail's section (theory.md, 3.1), as templates over
// the number: the search takes doubles, model/contact.cpp takes symbols and adds the motion. Hence
// at most one operand of a sum or product is computed in place (see vec3.hpp).
//
// In this base the rail turns along s_r with one rate k, so d(vector)/ds_r = d(components)/ds_r +
// k x vector. dphi_d_ds is exact where phi_d = 0: there r_PrPw = phi_n n_r, and with t . n_r = 0 is
// t' . r_PrPw = -phi_n t . n_r'. Elsewhere its error is proportional to phi_d, times how the rail
// turns along s_r; Newton's method converges with its square all the same.
#pragma once

#include "contact/surfaces.hpp"
#include "track/rail_frame.hpp"

namespace klingel::contact {

using spline::Vector3;

// A profile at one place, with its derivatives by its coordinate.
template <class T>
struct ProfileAt {
  T f{}, df{}, ddf{};
};

// The rail's surface at (s_r, u_r) in the rail's base.
template <class T>
struct RailPoint {
  Vector3<T> W, dW_ds, dW_du;              // d r_OrPr / d s_r and its derivatives
  T length_x{}, per_x{};                   // |W| and one over it
  T length_y{}, per_y{};                   // |d r_OrPr / d u_r| and one over it
  Vector3<T> t_rx, n_r;                    //
  T t_ry_c{}, t_ry_n{};                    // t_ry: nothing along t
  Vector3<T> dn_ds, dn_du;                 // of n_r
  T along_ry(const Vector3<T>& u) const {  // t_ry . u
    return spline::sum_of_products(t_ry_c, u.y, t_ry_n, u.z);
  }
};

// The wheel's surface at (theta_w, u_w) in the rail's base.
template <class T>
struct WheelPoint {
  Vector3<T> e_y, radial;  // axis, and the way from it to P_w
  Vector3<T> arm;          // from the wheelset's point on the axis to P_w
  Vector3<T> W;            // d r_Pw / d u_w
  Vector3<T> t_wx, t_wy;   // d r_Pw / d theta_w is f_w t_wx
  T per_y{};               // one over |W|
};

// The derivative of the unit vector n of a, from da; per = 1 / |a|.
template <class T>
Vector3<T> unit_rate(const Vector3<T>& n, const T& per, const Vector3<T>& da) {
  return per * (da - dot(n, da) * n);
}

template <class T>
RailPoint<T> rail_point(const track::RailFrameOf<T>& F, const ProfileAt<T>& r, const T& u_r) {
  using spline::difference_of_products;
  using spline::sum_of_products;
  using std::sqrt;
  const Vector3<T>&k = F.k, &dk = F.dk;
  RailPoint<T> p;
  p.W = {F.v + difference_of_products(k.y, r.f, k.z, u_r), -(k.x * r.f), k.x * u_r};
  p.dW_du = {k.y * r.df - k.z, -(k.x * r.df), k.x};
  const Vector3<T> dW = {F.dv + difference_of_products(dk.y, r.f, dk.z, u_r), -(dk.x * r.f),
                         dk.x * u_r};
  p.dW_ds = dW + cross(k, p.W);
  p.length_x = norm(p.W);
  p.per_x = 1 / p.length_x;
  p.t_rx = p.per_x * p.W;
  const T square = 1 + r.df * r.df;
  p.length_y = sqrt(square);
  p.per_y = 1 / p.length_y;
  p.t_ry_c = p.per_y;
  p.t_ry_n = r.df * p.per_y;

  // m = W x (0, 1, f_r'), n_r = m / |m|
  const T lean = u_r + r.f * r.df, dlean = square + r.f * r.ddf;
  const Vector3<T> m = {-(k.x * lean), -(p.W.x * r.df), p.W.x};
  const T per_m = 1 / norm(m);
  p.n_r = per_m * m;
  const Vector3<T> dm_du = {-(k.x * dlean), -sum_of_products(p.dW_du.x, r.df, p.W.x, r.ddf),
                            p.dW_du.x};
  const Vector3<T> dm_ds = {-(dk.x * lean), -(dW.x * r.df), dW.x};
  p.dn_du = unit_rate(p.n_r, per_m, dm_du);
  const Vector3<T> turned = cross(k, p.n_r);
  p.dn_ds = unit_rate(p.n_r, per_m, dm_ds) + turned;
  return p;
}

// e_y and radial in the ground; y: of P_w on the axis, from the point the arm begins at.
template <class T>
WheelPoint<T> wheel_point(const track::RailFrameOf<T>& F, const Vector3<T>& e_y,
                          const Vector3<T>& radial, const ProfileAt<T>& w, const T& y) {
  using std::sqrt;
  WheelPoint<T> p;
  p.e_y = to_child(F.axes, e_y);
  p.radial = to_child(F.axes, radial);
  p.t_wx = cross(p.e_y, p.radial);
  p.W = w.df * p.radial + p.e_y;
  const T square = 1 + w.df * w.df;
  p.per_y = 1 / sqrt(square);
  p.t_wy = p.per_y * p.W;
  const Vector3<T> out = w.f * p.radial;
  p.arm = out + y * p.e_y;
  return p;
}

template <class T>
struct ContactConstraints {
  T phi_n{};               // n_r . r_PrPw, m
  T phi_d[4] = {};         // t_rx . r, t_ry . r in m; t_wx . n_r, t_wy . n_r
  T dphi_d_ds[4][4] = {};  // row: equation, column: theta_w, u_w, s_r, u_r; [2][1] stays zero
};

// r: r_PrPw in the rail's base
template <class T>
ContactConstraints<T> contact_constraints(const RailPoint<T>& rail, const ProfileAt<T>& r_profile,
                                          const WheelPoint<T>& wheel, const ProfileAt<T>& w_profile,
                                          const Vector3<T>& r) {
  const T& f_w = w_profile.f;
  const Vector3<T>&n = rail.n_r, &x = rail.t_rx;
  ContactConstraints<T> e;
  e.phi_n = dot(n, r);
  e.phi_d[0] = dot(x, r);
  e.phi_d[1] = rail.along_ry(r);
  e.phi_d[2] = dot(wheel.t_wx, n);
  e.phi_d[3] = dot(wheel.t_wy, n);

  const auto row = [&e](int i, const T& theta_w, const T& u_w, const T& s_r, const T& u_r) {
    e.dphi_d_ds[i][0] = theta_w;
    e.dphi_d_ds[i][1] = u_w;
    e.dphi_d_ds[i][2] = s_r;
    e.dphi_d_ds[i][3] = u_r;
  };
  const auto follow = [&e](const T& along, const T& turning) {
    return -(along + e.phi_n * turning);
  };
  {
    const T theta_w = f_w * dot(x, wheel.t_wx), u_w = dot(x, wheel.W);
    const T s_r = follow(rail.length_x, dot(x, rail.dn_ds));
    const T across = x.y + x.z * r_profile.df;
    const T u_r = follow(across, dot(x, rail.dn_du));
    row(0, theta_w, u_w, s_r, u_r);
  }
  {
    const T theta_w = f_w * rail.along_ry(wheel.t_wx), u_w = rail.along_ry(wheel.W);
    const T along = rail.along_ry(rail.W);
    const T s_r = follow(along, rail.along_ry(rail.dn_ds));
    const T u_r = follow(rail.length_y, rail.along_ry(rail.dn_du));
    row(1, theta_w, u_w, s_r, u_r);
  }
  // d t_wx/d theta_w = -radial; t_wy turns by theta_w with f_w' t_wx / |W|
  const T radial_n = dot(wheel.radial, n);
  e.dphi_d_ds[2][0] = -radial_n;
  e.dphi_d_ds[2][2] = dot(wheel.t_wx, rail.dn_ds);
  e.dphi_d_ds[2][3] = dot(wheel.t_wx, rail.dn_du);
  {
    const T theta_w = w_profile.df * wheel.per_y * e.phi_d[2];
    const T bend = w_profile.ddf * (wheel.per_y * wheel.per_y * wheel.per_y);
    const T u_w = bend * (radial_n - w_profile.df * dot(wheel.e_y, n));
    const T s_r = dot(wheel.t_wy, rail.dn_ds), u_r = dot(wheel.t_wy, rail.dn_du);
    row(3, theta_w, u_w, s_r, u_r);
  }
  return e;
}

// The same in numbers, with what the radii and the scale of the determinant need.
struct ContactEquations : ContactConstraints<double> {
  ProfileAt<double> wheel, rail;  // derivatives by u_w and u_r
  double rail_speed = 0;          // |d r_OrPr / d s_r|
  double rail_bend = 0;           // n_r . d2 r_OrPr / d s_r^2
};

ContactEquations contact_equations(const WheelSurface& wheel, const RailSurface& rail,
                                   const WheelPose& pose, const ContactCoordinates& s) noexcept;

// The Newton step: ds with dphi_d_ds ds = -phi_d, by elimination in blocks. Returns the
// determinant; where it is zero or not finite, ds is zero.
double newton_step(const ContactEquations& equations, double (&ds)[4]) noexcept;

// Gap, angle, radii and determinant at s, from the equations evaluated there.
//   Rw_x = f_w / cos(angle of the wheel's tangent): distance to the spin axis over the cosine
//   Rw_y, Rr_y = (1 + f'^2)^(3/2) / f'', signed: convex positive
//   Rr_x from the curvature of the rail's surface along t_rx: vertical curvature of the line, and
//   on steep flanks the horizontal one too; infinite on straight track
//   det = determinant of dphi_d_ds over f_w |dr_Pw/du_w| |dr_Pr/ds_r| |dr_Pr/du_r|, times Rw_x.
//   In contact this is 1/Rw_y + 1/Rr_y, in 1/m, corrected by yaw: the sum of curvatures across.
//   Positive where the gap has a minimum, zero where the minimum ends (fold), negative where the
//   point only looks like a contact.
ContactPoint contact_point(const ContactEquations& equations, const ContactCoordinates& s,
                           double determinant) noexcept;

}  // namespace klingel::contact
