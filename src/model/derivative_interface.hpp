// Derivatives of the step of a vehicle under load, generated. The change D of dq in a step solves
//
//   S D = r(x),   x = (q, dq, z, u)
//   S dD/dx = R,  R = d(r - S D)/dx with D held                              [eq:stepderivative]
//
// with the system of vehicle_interface.hpp. Contacts act on wheelsets by wrenches w = b - B u_end
// that depend on place, motion and bias of the wheelset at t and on its motion u_end at t+h. R is
// symbolic with w held; the caller has dw by these, of which the derivatives are here, too:
//
//   R = R(w held) + h sum J^T dw
#pragma once

#include <span>
#include <string>

#include "model/vehicle_interface.hpp"

namespace klingel::model {

// Columns of dw/d(motion) of a wheelset: displacement (3) and rotation (3) of the base that does
// not spin, in the ground; its twist (7: v_C, w, rate of spin) and bias (6); u_end (6).
inline constexpr std::size_t wrench_columns = 25;

// Stages and inputs, k wheelsets and n coordinates:
//   setup p; place q, position; movement dq, velocity; force u, f, z
//   system  h, tangents, change (D, n), wrench (w, 6 k)
//   end     dq_end, strokes_end
// Functions, all outputs sparse, each also as NAME_p by parameters:
//   residual_x  R with w held by q, dq, z, u
//   wheelset_x  place and motion of wheelsets by q and dq, 25 rows each: what multiplies dw; u_end
//               by dq, its last 6 rows, is J
//   strokes_x   strokes of elements with internal states by q
//   advance_x   internal states at t+h by q, dq, z, u, dq_end, strokes_end
//   measured_x  channels known at t by q, dq, z, u
//   felt_x      channels with accelerations by q, dq, z, u, dq_end
// The last four only if there are such states or channels.
sym::Interface derivative_interface(mech::Model& model, const mech::Equations& equations,
                                    std::span<const Wheelset> wheelsets,
                                    std::span<const std::string> stiff, Tangents tangents);

}  // namespace klingel::model
