// Inertial parameters left out: those whose share in the equations of motion is below a bound on
// motions that matter. With the regressor (regressor.hpp) the forces of a motion are Y p, so the
// share of a parameter is known without making new equations.
#pragma once

#include <string>
#include <vector>

#include "mech/model.hpp"

namespace klingel::reduce {

// The inertias of the model without these parameters, named as inertial_parameters() does. An
// unknown name is an Error that names the nearest, and so is one without which a coordinate would
// have no mass.
void drop_parameters(mech::Model& model, const std::vector<std::string>& names);

// States of motions: q, dq and ddq one after the other, one row per state.
struct Motion {
  std::vector<std::vector<double>> rows;
};

// Parameters in the order in which they are left out, the one of the least share first.
struct Elimination {
  struct Step {
    std::string parameter;   // left out with all before it
    double error;            // largest, of all coordinates: rms of what is missing over rms of Y p
    std::size_t operations;  // of M_qq and delta_q, setup not included
  };
  std::size_t operations = 0;  // with all parameters
  std::vector<Step> steps;
};

// Stops before the error passes the bound, or a coordinate would have no mass.
Elimination eliminate(mech::Model& model, const Motion& motion, double bound);

}  // namespace klingel::reduce
