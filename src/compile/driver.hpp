// The driver of a scenario as part of the vehicle: an input and what it acts on.
#pragma once

#include "vehicle/scenario.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::compile {

inline constexpr const char* driver_input = "driver_force";

// Adds the input and one applied force or torques. A vehicle without a reference body with
// coordinates x and y is an Error, and so is an input of that name.
void add_driver(const vehicle::Driver& driver, vehicle::Vehicle& vehicle);

// Of all bodies, at nominal parameters, kg.
double total_mass(const vehicle::Vehicle& vehicle);

}  // namespace klingel::compile
