// The constraints of one contact in numbers: phi_n, phi_d and the derivative of phi_d by the
// contact coordinates s, exact for curved, canted and twisted rails. n_r is a unit vector also
// where t_rx and t_ry are not perpendicular. Derivatives by q are not here: the search holds the
// wheel still.
#pragma once

#include "contact/surfaces.hpp"
#include "track/rail_frame.hpp"

namespace klingel::contact {

struct ContactEquations {
  double phi_n = 0;             // n_r . r_PrPw, m
  double phi_d[4] = {};         // t_rx . r, t_ry . r in m; t_wx . n_r, t_wy . n_r
  double dphi_d_ds[4][4] = {};  // row: equation, column: theta_w, u_w, s_r, u_r

  // What the radii and the scale of the determinant need; derivatives by u and u_r.
  double f_w = 0, df_w = 0, ddf_w = 0, df_r = 0, ddf_r = 0;
  double rail_speed = 0;  // |d r_OrPr / d s_r|
  double rail_bend = 0;   // n_r . d2 r_OrPr / d s_r^2
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
