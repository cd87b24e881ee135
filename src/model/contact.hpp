// One wheel on one rail in symbols: the article's contact constraints and everything the step needs
// of them, as one program for every contact of every vehicle.
//
// The program does not depend on the vehicle. A wheelset is given by its motion: where its centre C
// and its non-spinning base are (pose), how they move (twist), what is left of their accelerations
// at ddq = 0 (bias). What acts at the contact leaves as wrenches about C, components in the ground:
//
//   d(phi_n)/dt = W_n . (v_C, w)        [eq:dqproj], contact coordinates do not appear: dphi_n_ds
//   is
//                                       zero where phi_d = 0
//   nu          = (W_x . u, W_y . u, n_r . w_total), u = (v_C, w_total) with the spin
//
// so that the vehicle multiplies them with the Jacobians of its wheelsets and no contact is derived
// twice. Inputs and wrenches are in the ground's base; inside, all is in the base of the rail's
// section, by the templates the search uses, too (contact/contact_equations.hpp). s = (theta_w,
// u_w, s_r, u_r); signs and names as in the article. Derivatives hold where phi_d = 0
// (theory.md, 3.1).
#pragma once

#include "sym/function.hpp"
#include "sym/graph.hpp"

namespace klingel::model {

// Stages and inputs:
//   position  y_w      lateral place of O_w on the wheelset's axis, from C, m
//             pose     r_C (3), then the axes e_x, e_y, e_z of the non-spinning base (9)
//             s        theta_w, u_w, s_r, u_r
//             spline   a, b, c, d, u_bp of f_w, f_r, f_tx, f_ty, f_tz, f_ttheta (30)
//   velocity  twist    v_C (3), w of the non-spinning base (3), rate of spin about e_y (1)
//             bias     dv_C/dt (3), dw/dt (3) at ddq = 0
//   rate      ds       rates of s, as `rates` gives them
// Functions:
//   tangent   phi_n, phi_d, the Newton correction of s for phi_d = 0, the last pivot   [eq:NRs]
//   frame     n_r, t_rx, t_ry, W_n, W_x, W_y, radii of curvature, contact angle
//   rates     ds from the twist                                                       [eq:dsproj]
//   motion    gamma_n, slip velocities nu, their bias dnu, mean velocity V, negative backwards
sym::Interface contact_interface(sym::Graph& graph);

// The same constraints, differentiated by the graph and hence everywhere, for tests and for the
// augmented formulation: phi_n, phi_d, dphi_n_ds, dphi_d_ds, dphi_d by twist, gamma_n, gamma_d.
sym::Interface contact_reference_interface(sym::Graph& graph);

}  // namespace klingel::model
