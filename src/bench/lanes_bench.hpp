// How long a step takes per vehicle when several step side by side on lanes, and how many threads
// help.
#pragma once

#include "bench/step_bench.hpp"

namespace klingel::bench {

struct LaneTimes {
  std::size_t lanes = 0;
  std::int64_t steps = 0;  // of each vehicle, all of them good
  Percentiles us;          // per vehicle
  Percentiles raw;         // of the first replay alone
};

// Vehicles begin at different places of the run, with different friction.
LaneTimes time_lanes(compile::PreparedRun& pipeline, const exec::Options& options,
                     std::int64_t steps, int replays);

// Steps of all vehicles together per second, by threads that each have a batch of their own and one
// of the given processors.
double steps_per_second(compile::PreparedRun& pipeline, const exec::Options& options,
                        std::int64_t steps, const std::vector<int>& processors);

}  // namespace klingel::bench
