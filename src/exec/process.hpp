// Other programs run from here: without a shell, several at once, with what they print kept.
// A child that still runs when it is no longer needed is stopped and waited for; none outlives
// the call that started it.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace klingel::exec {

struct Command {
  std::vector<std::string> words;  // the program and its arguments
  std::filesystem::path folder;    // where it runs; empty: here
};

// The words as one line, for messages.
std::string line_of(const std::vector<std::string>& words);

struct Outcome {
  int code = not_run;  // exit code, or 128 + the number of the signal that ended it
  std::string output;  // stdout and stderr, as they came

  static constexpr int not_run = -1;
};

// Runs one program to its end. A program that cannot be started is an Error with its name and the
// system's reason; one that fails is an Outcome. It reads nothing and speaks plain English
// (LC_ALL=C).
Outcome run(const Command& command);

// Runs all of them, at most `jobs` at once; outcomes in the order of the commands. After the first
// failure those that still run are stopped and no other is started: these are left not_run.
std::vector<Outcome> run_all(std::span<const Command> commands, unsigned jobs);

// Where a program is, as an absolute path: `name` itself if it has a slash, else the first one in
// $PATH. Links are not followed: programs like ccache look at the name they were called by. An
// Error if there is none.
std::filesystem::path find_program(const std::string& name);

}  // namespace klingel::exec
