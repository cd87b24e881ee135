#include "command/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "command/topics.hpp"

namespace klingel::command {
namespace {

constexpr std::size_t width = 92;  // columns of a line of help

// Words in lines of at most `width`, which begin with `indent` blanks; the first line is the rest
// of one that has begun.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result + "\n";
}

using Rows = std::vector<std::pair<std::string, std::string>>;

// Two columns below a heading.
std::string table(std::string_view heading, const Rows& rows) {
  std::size_t longest = 0;
  for (const auto& [name, meaning] : rows) longest = std::max(longest, name.size());
  std::string text = fmt::format("\n{}:\n", heading);
  for (const auto& [name, meaning] : rows)
    text += fmt::format("  {:<{}}", name, longest + 2) + wrapped(meaning, longest + 4);
  return text;
}

}  // namespace

const char* title(Group group) {
  switch (group) {
    case Group::simulate:
      return "Simulate";
    case Group::wheel_and_rail:
      return "Wheel, rail and track";
    case Group::models:
      return "Models and their equations";
    case Group::measure:
      return "Measure and reproduce";
    case Group::help:
      break;
  }
  return "Help";
}

std::string usage(const Command& command) {
  std::string text = fmt::format("klingel {} [OPTIONS]", command.name);
  for (const Argument& a : command.arguments) {
    if (a.is_positional())
      text += a.is_required ? " " + a.usage() : fmt::format(" [{}]", a.usage());
    else if (a.is_required)
      text += " " + a.usage();
  }
  return text;
}

std::string overview(std::span<const Command> commands) {
  std::string text =
      "Klingel simulates railway vehicles: symbolic multibody models, compiled to fast C.\n\n"
      "Usage: klingel COMMAND [OPTIONS]\n";
  for (const Group group : groups) {
    Rows rows;
    for (const Command& c : commands)
      if (c.group == group) rows.emplace_back(c.name, c.title);
    text += table(title(group), rows);
  }
  text += table("Options", {{"-h, --help", "Print this help, or that of a command, and exit"},
                            {"--version", "Print the version and exit"}});
  Rows rows;
  for (const Topic& t : topics()) rows.emplace_back(t.name, t.title);
  text += table("Topics of 'klingel help TOPIC'", rows);
  return text +
         "\nExit codes: 0 success, 1 internal error, 2 wrong input, 3 numeric failure,\n130 or 143 "
         "a run that was stopped by SIGINT (Ctrl-C) or SIGTERM.\n";
}

std::string help_text(const Command& command) {
  std::string text = fmt::format("{}.\n\nUsage: {}\n", command.title, usage(command));
  if (!command.about.empty()) text += "\n" + wrapped(command.about, 0);
  Rows arguments, options;
  for (const Argument& a : command.arguments)
    (a.is_positional() ? arguments : options).emplace_back(a.usage(), a.description());
  options.emplace_back("-h, --help", "Print this help and exit");
  if (!arguments.empty()) text += table("Arguments", arguments);
  text += table("Options", options);
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const std::string& e : command.examples) text += fmt::format("  {}\n", e);
  return text;
}

}  // namespace klingel::command
