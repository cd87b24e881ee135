// The front door: arguments in, exit code out. The only place of the program where errors become
// text on the screen. Each subcommand is in its own file; commands.cpp lists them.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/parse.hpp"
#include "cli/run_screen.hpp"
#include "cli/written_file.hpp"
#include "command/help_text.hpp"

namespace klingel::cli {
namespace {

ExitCode run(int argc, char** argv) {
  const std::vector<Command> all = commands();
  const Parsed parsed = parse(all, argc, argv);
  if (parsed.version) {
    fmt::print("klingel {}\n", base::version);
    return ExitCode::fine;
  }
  if (parsed.command == nullptr) {
    fmt::print("{}", command::overview(all));
    return ExitCode::fine;
  }
  if (parsed.help) {
    fmt::print("{}", command::help_text(*parsed.command));
    return ExitCode::fine;
  }
  for (const command::Argument& a : parsed.command->arguments)
    if (const auto* path = std::get_if<std::string*>(&a.target);
        a.is_written && path != nullptr && !(*path)->empty())
      check_written(a.name, **path);
  return parsed.command->run();
}

}  // namespace
}  // namespace klingel::cli

int main(int argc, char** argv) {
  using klingel::cli::ExitCode, klingel::cli::Interrupt;
  ExitCode code = ExitCode::fine;
  // a limit of file sizes is an error to report like a full disk, not the end of the program
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    code = klingel::cli::run(argc, argv);
    // a full disk shows only when the buffered output is really written
    if (std::fflush(stdout) != 0) klingel::base::fail("cannot write the output; is the disk full?");
  } catch (const klingel::base::Error& error) {
    fmt::print(stderr, "klingel: {}\n", error.what());
    // what was stopped may end with an error, but the input was not wrong
    code = Interrupt::wanted() ? Interrupt::exit_code() : ExitCode::input;
  } catch (const std::filesystem::filesystem_error& error) {
    // a folder that may not be looked into, mostly
    fmt::print(stderr, "klingel: cannot get at '{}': {}\n", error.path1().string(),
               error.code().message());
    code = ExitCode::input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "klingel: internal error: {}; please report this\n", error.what());
    code = ExitCode::internal;
  }
  return static_cast<int>(code);
}
