// Run time of the parts of a step, by the rows of the article's table of times. The simulator runs
// on kernels whose calls are timed one by one; what is not in kernels is timed separately, in the
// simulator's current state.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compile/prepare_run.hpp"

namespace klingel::bench {

// The article's rows, in its order.
enum class StepRow : std::uint8_t {
  contact,      // patches, coefficients, C of the contacts
  look_up,      // spline pieces
  equations,    // M, delta, gamma_n
  dynamics,     // solution for velocities and multipliers
  integration,  // mid-point rule
  constraints,  // phi and Jacobians, the corrections of s in the same kernels
  projection    // solutions for q, dq, ds
};
inline constexpr std::size_t step_rows = 7;

struct StepPhases {
  std::array<double, step_rows> us{};  // per step
  double solutions = 0;                // of the step's system, per step
  bool same = false;                   // as the run without clocks, bit for bit
};

// Means over the scenario's first steps, each the smallest of some repetitions. The simulator must
// be at the start of the run; afterwards it is there again.
StepPhases time_phases(compile::PreparedRun& pipeline, std::int64_t steps, int repetitions);

// The kernels that one step of the run calls, in order: "vehicle: solve", "contact: stage
// position". The simulator must be at the start of the run; it does some steps until `t`, and is
// at the start again afterwards.
std::vector<std::string> calls_of_step(compile::PreparedRun& pipeline, double t);

}  // namespace klingel::bench
