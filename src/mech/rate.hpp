// Time derivatives of scalars, quick for the common cases, and the angular velocity hidden in a
// rotation matrix.
#pragma once

#include "mech/components.hpp"

namespace klingel::mech {

// d(x)/dt through q -> dq -> ddq.
Expr rate(Expr x);
Triple rate(const Triple& u);

// What the time derivative is made with: the symbols ddq, or zero in their place.
enum class Ddq { symbols, zero };
// d(x)/dt of an expression in q, dq, t.
Expr rate(Expr x, Ddq ddq);
Triple rate(const Triple& u, Ddq ddq);

// Components in B of the angular velocity of B in P, from R_PB: the skew matrix R^T dR/dt.
Triple angular_velocity_of(const Block& R_PB);

}  // namespace klingel::mech
