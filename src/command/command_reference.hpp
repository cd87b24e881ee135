// docs/commands.md: every command and option, written from the description of the commands.
#pragma once

#include <span>
#include <string>

#include "command/command.hpp"

namespace klingel::command {

std::string command_reference(std::span<const Command> commands);

}  // namespace klingel::command
