// Scripts with which shells complete command lines, written from the description of the commands.
// Names of shipped data come from `klingel list` when they are needed.
#pragma once

#include <span>
#include <string>

#include "command/command.hpp"

namespace klingel::command {

std::string bash_completion(std::span<const Command> commands);
std::string zsh_completion(std::span<const Command> commands);
std::string fish_completion(std::span<const Command> commands);

}  // namespace klingel::command
