// Polach's law (2000, with the extensions of 2005): the force of an ellipsoid of tractions in
// closed form, along the creepage, plus a lateral force of spin. Extensions: friction that falls
// with the slip velocity (creep_law.hpp: every law has it), and factors k_A (area of adhesion) and
// k_S (area of slip) that flatten the initial slope on contaminated rails. The law has no spin
// moment; ours is the linear one with c23 replaced by what the lateral force of spin makes of it,
// and c33 times the common factor, so that the law takes energy out at any creepage. In pure
// longitudinal, pure lateral and pure spin creepage the initial slope is Kalker's; between them the
// law takes one mean coefficient for both directions, and is off by a few per cent.
#pragma once

#include "creep/creep.hpp"

namespace klingel::creep {

struct PolachParameters {
  double k_A = 1, k_S = 1;  // 0 < k_S <= k_A <= 1; 1: clean and dry
};

CreepResult polach(const CreepInput& in, const PolachParameters& parameters) noexcept;

}  // namespace klingel::creep
