// The beginning of a run on a track: the vehicle is put on it, settles, and rolls.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "run/simulator.hpp"
#include "wheelrail/track.hpp"

namespace klingel::run {

struct Start {
  double position = 0;      // of the reference body along the track, m
  double speed = 0;         // along the track, m/s; negative: backwards
  bool equilibrium = true;  // static equilibrium with the held coordinates; else q as it is given,
                            // lifted onto the rails
  struct Held {
    std::size_t coordinate;
    double value;
  };
  std::vector<Held> held;
  // Coordinates of the reference body: x, y, z, roll, pitch, yaw where there are such.
  std::array<std::optional<std::size_t>, 6> body;
  std::vector<std::size_t> spins;  // coordinates of spin by wheelset
};

// Puts the simulator at its initial state. Coordinates begin with the kernels' nominal values; x, y
// and yaw of the body follow the track and are held, so are the spins; if no equilibrium is found,
// all other yaws are held, too. Rates: the body moves with the track's tangent and turns with its
// curvature, wheelsets spin with the speed over their mean rolling radius, and all other rates are
// those that strain springs and dampers least (geared rotors follow their wheelsets); then they are
// projected. Errors as in start.hpp.
void begin(Simulator& simulator, const wheelrail::Track& track, const Start& options);

}  // namespace klingel::run
