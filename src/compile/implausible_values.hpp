// Values that a file may have and no railway vehicle has: most often a wrong unit.
#pragma once

#include <string>
#include <vector>

#include "vehicle/vehicle.hpp"

namespace klingel::compile {

// A warning each.
std::vector<std::string> implausible_values(const vehicle::Vehicle& vehicle);

}  // namespace klingel::compile
