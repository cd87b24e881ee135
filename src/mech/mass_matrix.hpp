// The mass matrix by composite sums, never by differentiating the equations of motion.
#pragma once

#include <span>
#include <string>

#include "mech/model.hpp"
#include "sym/matrix.hpp"

namespace klingel::mech {

// M_qq, symmetric atom by atom; entries that are structurally zero are absent.
sym::Matrix mass_matrix(Model& model);

// As if the bodies with these names had no mass: for those who add them in another way.
sym::Matrix mass_matrix_without(Model& model, std::span<const std::string> bodies);

}  // namespace klingel::mech
