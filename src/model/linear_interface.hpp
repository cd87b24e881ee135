// A vehicle on wheelsets for small motions about a motion: the balance of forces and its symbolic
// derivatives,
//
//   F(q, dq, ddq, b) = delta_NK(q, dq) - M_qq(q) ddq + sum J^T b = 0
//
// with the contacts as wrenches b on the wheelsets (vehicle_interface.hpp). Used by room stability.
#pragma once

#include <span>

#include "model/vehicle_interface.hpp"

namespace klingel::model {

// Stages and inputs, k wheelsets: setup p; position q; velocity dq; force u, f; load ddq, b (6
// k). Functions:
//   F        the balance
//   tangent  F_q, F_dq (n x n): derivatives of F with b held; M_qq
//   motion   poses and twists (12 and 7 numbers for each wheelset, as in vehicle_interface.hpp)
//   steering J_still, J_total (6 k x n): motions (v_C, w) of the wheelsets by dq, w of the base
//   that
//            does not spin and with the spin; twist_q, twist_dq (7 k x n): derivatives of the
//            twists
// With m internal states of elements x, x' = g(q, dq, x), also the inputs z (x) in stage force,
// z_standing and strokes_standing (m each) in stage load, and
//   strokes        m strokes by q
//   steady_states  X(q): the states in steady motion, that was reached from standing
//   states         F_x (n x m), X_q (m x n), g_q, g_dq (m x n), g_x (m x m); those of g with
//                  friction that sticks
sym::Interface linear_interface(mech::Model& model, const mech::Equations& equations,
                                std::span<const Wheelset> wheelsets);

}  // namespace klingel::model
