// A vehicle laid along its track before any contact is known: every wheelset is drawn by soft
// springs to the middle of the track at its own abscissa, upright in the canted plane and square to
// the rails, and the suspension takes what is left. From there contacts are found in any curve.
// Used before the first step; allocates.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "step/simulator.hpp"
#include "track/track.hpp"

namespace klingel::step {
class VehicleCopy;
}

namespace klingel::start {

// Indices of the coordinates x, y, z, roll, pitch, yaw of a body that stands against the ground,
// yaw being the first rotation; none where there is no such coordinate.
using BodyCoordinates = std::array<std::optional<std::size_t>, 6>;

// Where a vehicle is put: along the track and relative to it.
struct TrackOffset {
  double x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0;  // m and rad
};

// Moves all bodies from where they stand around the reference point (x, y) of q, on level track
// along x, to the track at an abscissa: each to its own place along the track. Coordinates of other
// kinds stay.
void move_along(std::vector<double>& q, const std::vector<BodyCoordinates>& bodies,
                std::array<double, 2> reference, const track::Track& track, double abscissa,
                const TrackOffset& offset);

// Rates of the same coordinates for the speed along the track.
void move_with(const std::vector<double>& q, std::vector<double>& dq,
               const std::vector<BodyCoordinates>& bodies, const track::Track& track, double speed);

// Changes the coordinates that are not held until suspension and bed are in balance. False if no
// balance was found; q is the best guess all the same.
bool lie_down(step::VehicleCopy& copy, std::vector<double>& q, const track::Track& track,
              const std::vector<std::size_t>& held);

}  // namespace klingel::start
