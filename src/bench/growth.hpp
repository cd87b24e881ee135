// Run time over the length of a train: `klingel growth`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace klingel::bench {

struct GrowthOptions {
  std::string what = "train";  // a train, or a scenario with one
  std::string json;            // a file for the results, too; none if empty
  std::string backend = "jit";
  std::vector<int> counts = {1, 2, 4, 8};  // units of the train
  std::int64_t steps = 1000;               // of a replay
  int replays = 5;
};

// Measures and prints.
void growth(const GrowthOptions& options);

}  // namespace klingel::bench
