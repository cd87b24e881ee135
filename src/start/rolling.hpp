// The beginning of a run on a track: the vehicle is put on it, settles, and rolls.
#pragma once

#include <cstddef>
#include <vector>

#include "start/track_bed.hpp"
#include "step/simulator.hpp"
#include "track/track.hpp"

namespace klingel::start {

struct Start {
  double position = 0;      // of the reference body along the track, m
  double speed = 0;         // along the track, m/s; negative: backwards
  bool equilibrium = true;  // static equilibrium with the held coordinates; else q as it is given,
                            // lifted onto the rails
  // Of the reference body relative to the track at the position: x along it, y to the left of its
  // middle, yaw from its heading, roll from its cant, z from the plane of the rails. All others as
  // they are.
  struct Held {
    std::size_t coordinate;
    double value;
  };
  std::vector<Held> held;
  BodyCoordinates body;                   // of the reference body, where there are such
  std::vector<BodyCoordinates> grounded;  // of all bodies that stand against the ground; the
                                          // reference body alone if none are given
  std::vector<std::size_t> spins;         // coordinates of spin by wheelset
};

// Puts the simulator at its initial state. Coordinates begin with the kernels' nominal values;
// every body that stands against the ground is moved to its place along the track, in curves and on
// cant the whole vehicle is laid along it (track_bed.hpp). x, y and yaw of the body are held, so
// are the spins; if no equilibrium is found, all other yaws are held, too. Rates: bodies move along
// the track and turn with it, wheelsets spin with the speed over their mean rolling radius, and all
// other rates are those that strain springs and dampers least (geared rotors follow their
// wheelsets); then they are projected. An Error says why there is no start and what to change.
void begin(step::Simulator& simulator, const track::Track& track, const Start& options);

}  // namespace klingel::start
