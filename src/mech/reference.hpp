// The equations of motion by two slow roads, to compare the fast one with.
#pragma once

#include "mech/equations.hpp"

namespace klingel::mech {

struct ReferenceEquations {
  sym::Matrix M_qq{0, 0};
  std::vector<Expr> delta_q;
};

// d/dt(dT/d(dq)) - dT/dq = Q, by differentiating the kinetic energy.
ReferenceEquations lagrange(Model& model);

// Newton and Euler for every body, projected on its partial velocities, body by body.
ReferenceEquations per_body_virtual_power(Model& model);

}  // namespace klingel::mech
