// Reads a command line. The only part of the program that knows CLI11.
#pragma once

#include <span>

#include "cli/command.hpp"

namespace klingel::cli {

struct Parsed {
  const Command* command = nullptr;  // null: none was named
  bool help = false, version = false;
};

// Stores the values where the arguments of the command want them. What cannot be read is an Error
// that names the nearest right word.
Parsed parse(std::span<const Command> commands, int argc, const char* const* argv);

}  // namespace klingel::cli
