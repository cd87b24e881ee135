// A self-test emitted beside the kernels: inputs, the outputs the interpreter gives for them, and a
// main that compares on the target machine.
#pragma once

#include <string>
#include <vector>

#include "gen/manifest.hpp"

namespace klingel::gen {

// Sample states: parameters at their nominal values, everything else moved away from them by a
// fixed pseudo-random amount, so that no term hides behind a zero. One vector per input array.
std::vector<std::vector<double>> sample_inputs(const Program& program, unsigned sample);

// `fused`: as the schedule has it, so that not a last digit differs.
std::string self_test_text(const Program& program, const Manifest& manifest,
                           const std::vector<bool>& fused);

}  // namespace klingel::gen
