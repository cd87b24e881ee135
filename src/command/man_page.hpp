// Manual pages (section 1), written from the description of the commands. The same text on every
// run: they carry no date.
#pragma once

#include <span>
#include <string>

#include "command/command.hpp"

namespace klingel::command {

// klingel.1
std::string man_page(std::span<const Command> commands);

// klingel-run.1
std::string man_page(const Command& command);

}  // namespace klingel::command
