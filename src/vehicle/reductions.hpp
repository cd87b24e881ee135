// The table [model] of a vehicle file.
#pragma once

#include "vehicle/document.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {

// What the file says over what the vehicle has already; its coordinates must be known.
void read_reductions(Table root, Vehicle& vehicle);

// Full names of coordinates: each of `names` is one, or the last part of some.
// An unknown one is an Error at the place.
std::vector<std::string> small_coordinates(const std::vector<std::string>& names,
                                           const std::vector<Coordinate>& coordinates,
                                           const base::Place& place);

// An Error at the place unless all are names of reductions that fit together.
void check_reductions(const Reductions& reductions);

}  // namespace klingel::vehicle
