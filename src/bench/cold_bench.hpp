// The time of a step whose code and data have left the caches, as in a loop that waits between
// steps while other programs run.
#pragma once

#include <cstdint>

#include "bench/step_bench.hpp"

namespace klingel::bench {

struct ColdTimes {
  Percentiles us;
  std::int64_t steps = 0;
  std::size_t evicted = 0;     // bytes written between two steps: three times the second cache
  std::size_t code_bytes = 0;  // of the vehicle's and the contacts' kernels
  std::size_t data_bytes = 0;  // inputs, workspace and outputs of these kernels, at both instants
};

// Steps of the scenario from the simulator's state. One time each: there is no shortest of several.
ColdTimes time_cold(compile::PreparedRun& pipeline, std::int64_t steps);

}  // namespace klingel::bench
