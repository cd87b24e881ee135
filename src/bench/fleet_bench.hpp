// Many vehicles of one kind with different parameters, as studies and estimation have them: steps
// of all of them per second, and the memory each takes.
#pragma once

#include "bench/lanes_bench.hpp"

namespace klingel::bench {

struct FleetTimes {
  std::size_t vehicles = 0, threads = 0;
  double steps_per_second = 0;   // of all vehicles together
  double bytes_per_vehicle = 0;  // beside what they share
};

// Each thread has some batches of vehicles on lanes and goes through them, some steps at a time.
FleetTimes time_fleet(compile::PreparedRun& pipeline, const exec::Options& options,
                      std::size_t vehicles, std::int64_t steps, const std::vector<int>& processors);

}  // namespace klingel::bench
