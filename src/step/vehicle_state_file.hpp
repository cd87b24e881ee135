// The state of a vehicle's run as a text file (named_values.hpp): coordinates, rates, contact
// points, and what acts from outside (inputs, friction), so that a run continues bit for bit and a
// failure can be repeated at once. Parameters are not part of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "step/simulator.hpp"

namespace klingel::step {

std::string state_text(const Simulator& simulator);
void write_state(const Simulator& simulator, const std::filesystem::path& path);

// Sets state, inputs and friction of the simulator; an Error with file:line leaves it as it was.
void parse_state(Simulator& simulator, std::string_view text, const std::string& file);
void read_state(Simulator& simulator, const std::filesystem::path& path);

}  // namespace klingel::step
