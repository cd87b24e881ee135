// The mass matrix by composite sums, never by differentiating the equations of motion.
#pragma once

#include "mech/model.hpp"
#include "sym/matrix.hpp"

namespace klingel::mech {

// M_qq, symmetric atom by atom; entries that are structurally zero are absent.
sym::Matrix mass_matrix(Model& model);

}  // namespace klingel::mech
