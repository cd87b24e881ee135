// Units of parameters, as far as the file tells: a parameter has the unit of the key whose formula
// it is. `stiffness = "2*k + k_rubber"` tells those of both, `mass = "rho*V"` none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {

// By full name; parameters without an entry have units that are not known, or that contradict each
// other. Units are written as in tables of keys, without '^': "N s/m", "kg m2".
std::map<std::string, std::string> parameter_units(const std::vector<FormulaOfKey>& formulas,
                                                   const std::vector<Parameter>& parameters);

}  // namespace klingel::vehicle
