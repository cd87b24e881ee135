// Reads a command line. The only part of the program that uses CLI11.
#pragma once

#include <span>

#include "cli/command.hpp"

namespace klingel::cli {

struct Parsed {
  const Command* command = nullptr;  // null: none was named
  bool help = false, version = false;
};

// Stores the values in the variables of the command's arguments. What cannot be read is an Error
// that names the nearest right word.
Parsed parse(std::span<const Command> commands, int argc, const char* const* argv);

}  // namespace klingel::cli
