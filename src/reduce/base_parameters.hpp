// Base parameters: equations of motion from the fewest inertial parameters (inertias.hpp has the
// rules). Moves that would cost operations are not made: a free body with its centre of mass at
// its point has nothing to gain.
#pragma once

#include <cstddef>
#include <functional>

#include "reduce/inertias.hpp"

namespace klingel::reduce {

struct Regrouping {
  bool applied = false;               // false: nothing to gain, the model is as it was
  std::size_t before = 0, after = 0;  // operations of M_qq and delta_q, setup not included
  std::size_t parameters_before = 0, parameters_after = 0;  // that are not zero
};

// Regroups the inertias of the model (Model::regroup) where that saves operations.
Regrouping use_base_parameters(mech::Model& model);

// With all moves, whatever they cost: the fewest parameters, for identification and reports.
std::vector<mech::Body> fewest_parameters(mech::Model& model);

// Operations of M_qq and delta_q together, without those of parameters only.
std::size_t dynamics_cost(mech::Model& model);

}  // namespace klingel::reduce
