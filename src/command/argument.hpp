// One argument of a command: its name, where its value goes, and what a reader must know about it.
// Help, man pages, completion and docs/commands.md are all written from this description.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace klingel::command {

// What a value names. Completion offers such names.
enum class Names : std::uint8_t {
  nothing,
  vehicle,   // shipped or a file
  scenario,  // a vehicle or a scenario, shipped or a file
  estimate,  // shipped or a file
  model,     // a vehicle, a scenario or an estimate, shipped or a file
  track,     // shipped or a file
  profile,   // shipped or a file
  example,   // a shipped mechanism
  topic,     // of `klingel help`, or a command
  file,
  folder
};

// Where the value goes; it holds the default before.
using Target = std::variant<bool*, std::string*, int*, unsigned*, std::int64_t*, double*,
                            std::optional<double>*, std::vector<std::string>*, std::vector<int>*>;

class Argument {
 public:
  // "--speed", "--csv", or "what" for an argument without dashes. The meaning is a phrase without a
  // full stop.
  Argument(std::string name, Target target, std::string meaning);

  // All return the argument, to be called one after the other.
  Argument& unit(std::string text);          // "m/s"
  Argument& default_text(std::string text);  // where the value of the target would not explain it
  Argument& value(std::string text);         // "NAME=VALUE", in place of the word for its type
  Argument& names(Names what);
  Argument& written();  // names a file that is written: whether it can be is known before the run
  Argument& choices(std::vector<std::string> words);  // nothing else is accepted
  Argument& suggest(std::vector<std::string> words);  // the command itself refuses others
  Argument& required();
  Argument& repeatable();             // one value each time it is given
  Argument& separated_by(char sign);  // several values in one word
  Argument& needs(std::string other);
  Argument& excludes(std::string other);
  // Limits of a number, or of each of several; without them any finite number.
  Argument& above(double limit);
  Argument& at_least(double limit);
  Argument& at_most(double limit);
  // What is wrong with a value, or "".
  Argument& check(std::function<std::string(const std::string&)> complaint);

  bool is_flag() const { return std::holds_alternative<bool*>(target); }
  bool is_positional() const { return name.front() != '-'; }
  std::string placeholder() const;  // "NUMBER"; "" for a flag
  std::string usage() const;        // "--speed NUMBER", or "VEHICLE"
  // One line: the meaning, unit, choices, default.
  std::string description() const;

  std::string name;
  Target target;
  std::string meaning;
  std::string its_unit, its_default, its_value, its_need, its_rival;
  Names its_names = Names::nothing;
  std::vector<std::string> words;
  bool only_words = false, is_required = false, is_repeatable = false, is_written = false;
  char separator = 0;
  std::function<std::string(const std::string&)> its_check;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool without_least = false;  // above it, not at it
};

// "a, b or c"
std::string listed(const std::vector<std::string>& words, const char* last = "or");

}  // namespace klingel::command
