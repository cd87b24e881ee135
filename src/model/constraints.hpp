// Constraints of a vehicle file in the mechanics.
#pragma once

#include "model/parts.hpp"

namespace klingel::model {

void add_constraint(Parts& parts, const vehicle::Constraint& constraint);

}  // namespace klingel::model
