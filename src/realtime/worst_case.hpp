// A bound of the step's time instead of a measurement of what happened: every loop in a step has a
// largest count, and here all of them run to it, at every wheel, along the whole run.
#pragma once

#include <cstdint>
#include <memory>

#include "simulation/description.hpp"

namespace klingel::realtime {

struct WorstCase {
  std::int64_t longest = 0, median = 0;  // ns of processor time, with warm caches
  std::int64_t plain = 0;                // longest of ordinary steps, measured alike
  std::int64_t steps = 0;
  bool failed = false;  // a step met a limit and failed there, which ends the measurement
};

// Steps of the scenario, at most so many. Each is done three times and the shortest counts, so that
// interruptions do not.
WorstCase worst_case(const simulation::Description& description, std::int64_t most_steps);

}  // namespace klingel::realtime
