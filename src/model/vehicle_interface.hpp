// A vehicle on wheelsets as functions in stages: everything that one time step evaluates, including
// the solution of its system.
//
// Contacts act on the vehicle only through its wheelsets. For any number of contact points of its
// two wheels, their effect on a wheelset is a wrench b and a matrix B on its twist u = (v_C,
// w_total) about its centre C, components in the ground (both from contact.hpp and the creep laws).
// The implicit step is then, for every vehicle and every number of contact points,
//
//   [ M_qq + h C_qq    h dphi_n_dq^T ] [ dq(t+h) - dq ]   [ h (delta_NK + J^T (b - B u)) ]
//   [ dphi_n_dq             0        ] [   lambda_n   ] = [ h gamma_n                    ]
//                                                                       [eq:MphiTPhiZero6]
//   C_qq = sum J^T B J,   dphi_n_dq = W_n^T J_still
//
// with the Jacobians J of the wheelsets' motion. This is the article's system, written for the
// increment of dq (u: motion at t), so that M_qq dq is not needed on the right. Force elements
// marked stiff enter by their tangent. With their force at t + theta h, F + theta (dF/dq (q(t+h) -
// q) + dF/ddq (dq(t+h) - dq)), and q(t+h) - q = h (dq + dq(t+h))/2, the matrix has -theta h^2/2
// dF/dq - theta h dF/ddq and the right side theta h^2 dF/dq dq. These weights are the input
// `tangents`; the article's scheme takes h^2, h and h^2. The pattern of the matrix never changes: a
// wheel off its rail has active = 0, and its row reads lambda_n = rhs. The elimination is generated
// in one static order, from the wheels to the body (step_system.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mech/equations.hpp"
#include "mech/model.hpp"

namespace klingel::model {

struct Wheelset {
  std::string name;
  mech::Point centre;
  mech::Base still;    // follows the wheelset but does not spin
  mech::Base turning;  // spins about y of `still`
  std::vector<std::string> wheels;
};

// The tangent of stiff elements in the matrix.
enum class Tangents {
  // Of elements with a law of their deflections d, F = -J^T (k d + c dd/dt) with J =
  // d(dd/dt)/d(dq):
  // dF/dq = -J^T k J, without what turning axes add to it. Enough to keep the step stable, and much
  // less to evaluate. Other elements have exact tangents.
  material,
  exact
};

// Whether wheels are held on their rails by constraints. Under load they are not: no row of a wheel
// is in the elimination, and x of a wheel is its rhs.
enum class Wheels { held, free };

// Stages and inputs; n coordinates, w wheels in the order of the wheelsets:
//   setup       p
//   place       q          what `pose` needs
//   position               the rest that depends on q
//   movement    dq         what `motion` needs
//   velocity               the rest that depends on dq
//   force       u          inputs of the model
//               z          internal states of elements, if there are any
//   system      h          time step, s
//               tangents   weights of stiff elements: of dF/dq, dF/ddq, and dF/dq dq on the right
//               B          6 x 6 per wheelset, row major: acts on u as -B u
//               b          6 per wheelset: force and moment about C
//               W_n        6 per wheel: normal wrench
//               active     1 per wheel: 1 in contact, 0 released
//   right_side  rhs        n + w
//   end         dq_end     velocities at the end of the step
//               strokes_end  strokes of elements with internal states at t+h, if there are any
// Functions:
//   pose        per wheelset r_C (3), axes of `still` (9)
//   motion      per wheelset twist (7) and bias (6), as contact.hpp takes them
//   M_qq, sparse, delta_NK, energy and the outputs of the model
//   power       of all forces but weight, stored energy and contacts, for energy balances; and the
//               part of the inputs
//   impulse     right-hand side of the coordinates
//   step_matrix the matrix, and dphi_n_dq (w x n), both sparse
//   twist_dq    J per wheelset: (v_C, w of still, w_total) by dq, 9 rows, sparse, for the start and
//               the reference methods
//   solve       x = matrix^-1 rhs and the smallest pivot
//   twist_end   (v_C, w_total) per wheelset with dq_end
//   strokes     of elements with internal states, by q
//   advance     internal states at t+h: z at t, strokes at t and strokes_end
//   measured    channels of the model that are known at t, if there are any
//   felt        those with accelerations, of the step: ddq = (dq_end - dq) / h, if there are any
// May be called again on the same model: the symbols of the step are made once.
sym::Interface vehicle_interface(mech::Model& model, const mech::Equations& equations,
                                 std::span<const Wheelset> wheelsets,
                                 std::span<const std::string> stiff = {},
                                 Tangents tangents = Tangents::material,
                                 Wheels wheels = Wheels::held);

}  // namespace klingel::model
