#include "command/command_reference.hpp"

#include <fmt/format.h>

#include "command/help_text.hpp"

namespace klingel::command {
namespace {

// A bar would end the cell of a table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string section(const Command& c) {
  std::string text = fmt::format("\n### klingel {}\n\n{}.", c.name, c.title);
  if (!c.about.empty()) text += " " + c.about;
  text += fmt::format("\n\n```\n{}\n```\n", usage(c));
  if (!c.arguments.empty()) text += "\n| argument | meaning |\n|---|---|\n";
  for (const Argument& a : c.arguments)
    text += fmt::format("| `{}` | {} |\n", cell(a.usage()), cell(a.description()));
  if (!c.examples.empty()) text += "\nExamples:\n\n```\n";
  for (const std::string& e : c.examples) text += e + "\n";
  return c.examples.empty() ? text : text + "```\n";
}

}  // namespace

std::string command_reference(std::span<const Command> commands) {
  std::string text =
      "# Commands\n\n"
      "Every command of the program `klingel` with all its options. This file is written by the "
      "program\n(`klingel manual FOLDER`) from the same description as `klingel COMMAND --help`, "
      "the man pages and the\ncompletion of shells; a test compares it.\n\n"
      "`klingel --help` lists the commands, `klingel help TOPIC` explains vehicles, tracks, "
      "channels and so on.\nExit codes: 0 success, 1 internal error, 2 wrong input, 3 numeric "
      "failure,\n130 or 143 a run that was stopped by SIGINT (Ctrl-C) or SIGTERM.\n";
  for (const Group group : groups) {
    text += fmt::format("\n## {}\n", title(group));
    for (const Command& c : commands)
      if (c.group == group) text += section(c);
  }
  return text;
}

}  // namespace klingel::command
