// What `export` and `fmu` export: a vehicle, a scenario, one of the shipped mechanisms, or the
// filter of an estimate.
#pragma once

#include <string>

#include "cli/vehicle_arguments.hpp"
#include "packaging/parts.hpp"

namespace klingel::cli {

// A vehicle or scenario of that name is preferred.
packaging::Parts parts_of(const std::string& what, const ScenarioArguments& arguments);

}  // namespace klingel::cli
