// Run time of the steps of a run, without disturbances by other programs: the same run is
// replayed, bit for bit, and the shortest time of every step counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compile/prepare_run.hpp"

namespace klingel::bench {

struct Percentiles {
  double mean = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;  // us
};

Percentiles percentiles(std::vector<double> us);

struct StepTimes {
  Percentiles us;
  Percentiles raw;  // of the first replay alone
  std::int64_t steps = 0;
  int replays = 0;
  std::string end;  // "completed", or why it ended before
  // the slowest step
  double t_slowest = 0;  // s
  int newton_q = 0, newton_s = 0;
  std::string events;  // at the slowest step
};

// Steps of the scenario from its start, at most `steps`. The simulator is left at the end.
StepTimes time_steps(compile::PreparedRun& pipeline, std::int64_t steps, int replays);

// One call of a stage or function of the kernels, the shortest of many, with its operations.
struct CallTime {
  std::string name;
  double us = 0;
};
std::vector<CallTime> time_calls(const exec::Kernel& kernel);

// Eigen's PartialPivLU, factorization and solution, of the matrix of the step in the simulator's
// current state. Compiled with the flags of the program; the size is known at compile time if it is
// 38, that of the locomotive.
struct EigenTime {
  double us = 0;
  int size = 0;
  bool fixed = false;
};
EigenTime time_eigen(compile::PreparedRun& pipeline);

}  // namespace klingel::bench
