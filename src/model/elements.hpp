// Force elements of a vehicle file in the mechanics.
#pragma once

#include "model/parts.hpp"

namespace klingel::model {

void add_element(Parts& parts, const vehicle::Element& element);

}  // namespace klingel::model
