// A subcommand: its arguments, and what it does once they are read. Nothing here knows CLI11, so
// that commands compile fast; parse.cpp does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/argument.hpp"
#include "cli/exit_codes.hpp"

namespace klingel::cli {

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

// All of them, in the order of the help.
std::vector<Command> commands();

Command bench_command();
Command check_command();
Command conicity_command();
Command contact_command();
Command creep_command();
Command eval_command();
Command example_command();
Command growth_command();
Command help_command();
Command list_command();
Command manual_command();
Command ops_command();
Command paper_command();
Command profile_command();
Command report_command();
Command run_command();
Command track_command();
Command view_command();

}  // namespace klingel::cli
