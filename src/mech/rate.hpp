// Time derivatives of scalars, quick for the common cases, and the angular velocity hidden in a
// rotation matrix.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mech/components.hpp"
#include "sym/differentiate.hpp"

namespace klingel::mech {

// d(x)/dt through q -> dq -> ddq.
Expr rate(Expr x);
Triple rate(const Triple& u);

// What the time derivative is made with: the symbols ddq, or zero in their place.
enum class Ddq { symbols, zero };
// d(x)/dt of an expression in q, dq, t.
Expr rate(Expr x, Ddq ddq);
Triple rate(const Triple& u, Ddq ddq);

// The seeds of d/dt with ddq = dds = 0 among these symbols: every declared rate but those of the
// velocities, and t -> 1. A symbol that moves without a declared rate is an error.
std::vector<sym::Seed> rates_without_ddq(std::span<const Expr> symbols);

// The symbol of time, if the model uses it. Another symbol may have the name t.
std::optional<Expr> time_of(sym::Graph& graph);

// Components in B of the angular velocity of B in P, from R_PB: the skew matrix R^T dR/dt.
Triple angular_velocity_of(const Block& R_PB);

}  // namespace klingel::mech
