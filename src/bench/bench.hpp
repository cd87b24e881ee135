// Run time of a time step and of its parts on this machine: `klingel bench`.
#pragma once

#include <cstdint>
#include <string>

namespace klingel::bench {

struct BenchOptions {
  std::string what = "feve3000_corrected";  // vehicle or scenario
  std::string json;                         // a file for the results, too; none if empty
  std::int64_t steps = 0;                   // of a replay; 0: the whole scenario
  int replays = 5;
  bool only_steps = false;  // nothing but steps, for tools that count instructions
  bool cold = false;        // steps whose code and data have left the caches
  std::int64_t fleet = 0;   // this many vehicles on all processors
  bool only_lanes = false;  // the same for vehicles on lanes
};

// Measures and prints.
void bench(const BenchOptions& options);

}  // namespace klingel::bench
