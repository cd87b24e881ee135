// Natural frequencies of a vehicle on its rails: small motions about an equilibrium without
// dampers and creep forces.
#pragma once

#include <vector>

#include "step/simulator.hpp"

namespace klingel::start {

struct Mode {
  double frequency = 0;       // Hz; negative for a motion that runs away, 0 for one that is free
  std::vector<double> shape;  // change of the coordinates, largest 1
};

// Sorted by frequency. The state must be an equilibrium (start.hpp); wheels stay on their rails.
std::vector<Mode> modes(step::Simulator& simulator, const step::VehicleState& state);

// Of the modes in which the coordinate moves more than half as much as the largest, the lowest
// frequency above 0.1 Hz; 0 if there is none.
double frequency_of(const std::vector<Mode>& modes, std::size_t coordinate);

}  // namespace klingel::start
