// The channels of a vehicle on a track: what can be recorded of a run. One table entry says a
// channel's name, unit, meaning and where its value comes from; channels of elements, outputs and
// sensors are described by the vehicle itself. Wheels W and wheelsets S have the
// names of the vehicle ("rear.front.right", "rear.front"); docs and users rely on these names.
//
// A row at time t is the state at t together with the forces of the step that begins at t.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "record/channel.hpp"
#include "record/rail_forces.hpp"
#include "step/simulator.hpp"

namespace klingel::record {

// Which coordinates are x, y, z, roll, pitch and yaw of the vehicle's body; channels of those that
// are not given do not exist.
using BodyCoordinates = std::array<std::optional<std::size_t>, 6>;

// Where values are taken from.
struct Sample {
  step::Simulator& simulator;
  const RailForces& forces;
  const start::TrackPlace& place;  // of the body, or of the first wheelset
  const BodyCoordinates& body;
  double t;
};

// Moves the place to where the vehicle is: its body, or its first wheelset.
void follow(start::TrackPlace& place, step::Simulator& simulator, const BodyCoordinates& body);

struct VehicleChannel {
  Channel channel;
  bool of_step;  // known after the step that begins at t; else before it
  double (*value)(const Sample& sample, std::size_t index);
  std::size_t index;  // of the wheel, wheelset, coordinate or input
};

// All of them, the time `t` first.
std::vector<VehicleChannel> vehicle_channels(const step::Simulator& simulator,
                                             const BodyCoordinates& body);

// A channel of that name with unit and meaning, if vehicles have such channels; else with none.
Channel described(const std::string& name);

// The patterns of the channels that are recorded by default: forces and places that an
// engineer looks at first, outputs and sensors of the vehicle file.
std::vector<std::string> default_patterns(const step::Simulator& simulator,
                                          const BodyCoordinates& body);

}  // namespace klingel::record
