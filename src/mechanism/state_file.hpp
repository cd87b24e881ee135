// A state as a small text file with names, exact to the last bit: to resume a run, or to look at
// what a failed one left behind.
//
//   klingel state 1
//   model four_bar
//   t 0.25
//   q crank 0.3
//   dq dcrank 1.5
//
// One item per line, in any order after the first line; '#' begins a comment. Parameters and
// inputs are not part of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mechanism/mechanism.hpp"

namespace klingel::mechanism {

std::string state_text(const Mechanism& mechanism, const State& state);
void write_state(const Mechanism& mechanism, const State& state, const std::filesystem::path& path);

// Every coordinate and rate of the mechanism exactly once, finite numbers, the same model; else an
// Error with file:line. `file` is what errors call the text.
State parse_state(const Mechanism& mechanism, std::string_view text, const std::string& file);
State read_state(const Mechanism& mechanism, const std::filesystem::path& path);

}  // namespace klingel::mechanism
