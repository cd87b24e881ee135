// klingel help, list and manual: what the program says about itself.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "cli/shipped.hpp"
#include "command/command_reference.hpp"
#include "command/completion.hpp"
#include "command/help_text.hpp"
#include "command/man_page.hpp"
#include "command/topics.hpp"

namespace klingel::cli {
namespace {

ExitCode print_help(const std::string& about) {
  const std::vector<Command> all = commands();
  std::vector<std::string> words;
  if (about.empty()) {
    fmt::print("{}", command::overview(all));
    return ExitCode::fine;
  }
  for (const command::Topic& t : command::topics()) {
    words.emplace_back(t.name);
    if (about != t.name) continue;
    fmt::print("{}\n\n{}\n", t.title, t.text);
    return ExitCode::fine;
  }
  for (const Command& c : all) {
    words.push_back(c.name);
    if (about != c.name) continue;
    fmt::print("{}", command::help_text(c));
    return ExitCode::fine;
  }
  base::fail("there is no help about '{}'{}\n    there are: {}", about,
             base::did_you_mean(about, words), fmt::join(words, ", "));
}

ExitCode print_lists(const std::vector<std::string>& wanted) {
  for (const std::string& kind : wanted) {
    for (const std::string& name : shipped(kind)) fmt::print("{}\n", name);
  }
  if (!wanted.empty()) return ExitCode::fine;
  for (const char* kind : shipped_kinds) {
    fmt::print("{}:\n", kind);
    for (const std::string& name : shipped(kind)) fmt::print("  {}\n", name);
  }
  return ExitCode::fine;
}

ExitCode write_manual(const std::filesystem::path& folder) {
  const std::vector<Command> all = commands();
  base::write_file(folder / "man1/klingel.1", command::man_page(all));
  for (const Command& c : all)
    base::write_file(folder / "man1" / ("klingel-" + c.name + ".1"), command::man_page(c));
  base::write_file(folder / "bash/klingel", command::bash_completion(all));
  base::write_file(folder / "zsh/_klingel", command::zsh_completion(all));
  base::write_file(folder / "fish/klingel.fish", command::fish_completion(all));
  base::write_file(folder / "commands.md", command::command_reference(all));
  return ExitCode::fine;
}

}  // namespace

Command help_command() {
  const auto about = std::make_shared<std::string>();
  Command c{Group::help, "help", "Print help about a topic or a command"};
  c.examples = {"klingel help channels", "klingel help run"};
  c.option("about", *about, "Topic or command; without it, all are listed").names(Names::topic);
  c.run = [about] { return print_help(*about); };
  return c;
}

Command list_command() {
  const auto wanted = std::make_shared<std::vector<std::string>>();
  Command c{Group::help, "list",
            "List what is shipped: vehicles, tracks, scenarios, studies and more"};
  c.examples = {"klingel list", "klingel list vehicles", "klingel list studies estimates"};
  c.option("kinds", *wanted, "What to list")
      .value("KIND...")
      .choices({std::begin(shipped_kinds), std::end(shipped_kinds)})
      .default_text("all");
  c.run = [wanted] { return print_lists(*wanted); };
  return c;
}

Command manual_command() {
  const auto folder = std::make_shared<std::string>();
  Command c{Group::help, "manual", "Write man pages, completion scripts and the command reference"};
  c.about =
      "For building and packaging; an installed program already has these files. "
      "docs/commands.md is the commands.md that it writes.";
  c.examples = {"klingel manual build/manual"};
  c.option("folder", *folder, "Folder to write to").names(Names::folder).required();
  c.run = [folder] { return write_manual(*folder); };
  return c;
}

}  // namespace klingel::cli
