// Coordinates that place bodies against the ground rather than against other bodies: what has to
// change when a vehicle is put somewhere else on its track. A vehicle may have one such body, which
// carries all others, or many.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/build.hpp"

namespace klingel::model {

// Indices of the coordinates x, y, z, roll, pitch, yaw of one body; none where its place or turn is
// not simply a coordinate. Yaw is the first rotation.
using GroundedBody = std::array<std::optional<std::size_t>, 6>;

// One entry for every point whose position in the ground is given by coordinates x and y, in the
// order of the bodies. Coordinates of spin are no pitch.
std::vector<GroundedBody> ground_coordinates(const VehicleModel& model);

}  // namespace klingel::model
