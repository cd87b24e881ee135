// The help on the screen, written from the description of the commands.
#pragma once

#include <span>
#include <string>

#include "command/command.hpp"

namespace klingel::command {

// `klingel --help`: what commands and topics there are.
std::string overview(std::span<const Command> commands);

// `klingel run --help`: one command with its arguments.
std::string help_text(const Command& command);

// "klingel run [OPTIONS] [SCENARIO]"
std::string usage(const Command& command);

const char* title(Group group);
inline constexpr Group groups[] = {Group::simulate, Group::wheel_and_rail, Group::models,
                                   Group::measure, Group::help};

}  // namespace klingel::command
