// Which coordinates belong to which unit of a train, and which units have to do with each other:
// read from the equations themselves.
#pragma once

#include "gen/program.hpp"
#include "step/vehicle_data.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::compile {

// Of the vehicle's program (model/vehicle_interface.hpp). None for a vehicle that is no train, or
// whose wheelsets move with several units.
step::Units train_units(const vehicle::Vehicle& vehicle, const gen::Program& program);

}  // namespace klingel::compile
