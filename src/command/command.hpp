// A subcommand: its arguments, and what it does once they are read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "command/argument.hpp"
#include "command/exit_codes.hpp"

namespace klingel::command {

// Commands are listed by what they are for.
enum class Group : std::uint8_t { simulate, wheel_and_rail, models, measure, help };

struct Command {
  Command(Group what_for, std::string called, std::string line)
      : group(what_for), name(std::move(called)), title(std::move(line)) {}

  Group group;
  std::string name;                   // "run"
  std::string title;                  // one line without a full stop
  std::string about;                  // paragraphs that explain more; may be empty
  std::vector<std::string> examples;  // whole command lines
  std::vector<Argument> arguments;
  std::function<ExitCode()> run;

  // An option, a flag (a bool) or, without dashes, an argument by its place. The result is valid
  // until the next one is added.
  template <class T>
  Argument& option(std::string called, T& value, std::string meaning) {
    return arguments.emplace_back(std::move(called), Target(&value), std::move(meaning));
  }
};

}  // namespace klingel::command
