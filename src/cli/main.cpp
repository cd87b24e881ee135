// The front door: arguments in, exit code out. Each subcommand lives in its own file with one
// function that adds it to the app (add_<command>(CLI::App&)); this file only lists them.
// The only place of the program where errors become text on the screen.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"

namespace klingel::cli {
namespace {

// The words a user could have meant: subcommands and long options.
std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  return words;
}

// The first argument the app does not know, as an input error with suggestions.
[[noreturn]] void refuse(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> words = known_words(app);
  base::fail("unknown argument '{}'{}\n    'klingel --help' lists what there is", word,
             base::did_you_mean(word, words));
}

ExitCode run(int argc, char** argv) {
  CLI::App app{"Klingel: multibody railway models compiled to fast C.", "klingel"};
  app.set_version_flag("--version", fmt::format("klingel {}", base::version),
                       "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.allow_extras();
  app.footer("Exit codes: 0 fine, 1 internal error, 2 wrong input, 3 numeric failure.");

  app.require_subcommand(0, 1);
  const Command commands[] = {
      add_bench(app),    add_check(app),  //
      add_conicity(app),                  //
      add_contact(app),                   //
      add_creep(app),                     //
      add_eval(app),                      //
      add_example(app),                   //
      add_growth(app),                    //
      add_ops(app),                       //
      add_paper(app),                     //
      add_report(app),                    //
      add_run(app),                       //
      add_profile(app),                   //
      add_track(app),                     //
      add_view(app),                      //
  };

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    // --help and --version arrive here; CLI11 prints them on stdout
    app.exit(done);
    return ExitCode::fine;
  } catch (const CLI::ParseError& error) {
    base::fail("{}\n    'klingel --help' lists what there is", error.what());
  }

  const std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty()) refuse(app, extras.front());
  for (const Command& c : commands) {
    if (c.app->parsed()) return c.run();
  }
  fmt::print("{}", app.help());
  return ExitCode::fine;
}

}  // namespace
}  // namespace klingel::cli

int main(int argc, char** argv) {
  using klingel::cli::ExitCode;
  ExitCode code = ExitCode::fine;
  try {
    code = klingel::cli::run(argc, argv);
    // a full disk shows only when the buffered output is really written
    if (std::fflush(stdout) != 0) klingel::base::fail("cannot write the output: the disk is full?");
  } catch (const klingel::base::Error& error) {
    fmt::print(stderr, "klingel: {}\n", error.what());
    code = ExitCode::input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "klingel: internal error: {}; please report this\n", error.what());
    code = ExitCode::internal;
  }
  return static_cast<int>(code);
}
