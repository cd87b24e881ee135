// A subcommand: its arguments in the app, and what it does once they are read.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/exit_codes.hpp"

namespace klingel::cli {

struct Command {
  CLI::App* app;
  std::function<ExitCode()> run;
};

Command add_bench(CLI::App& app);
Command add_check(CLI::App& app);
Command add_conicity(CLI::App& app);
Command add_contact(CLI::App& app);
Command add_eval(CLI::App& app);
Command add_example(CLI::App& app);
Command add_creep(CLI::App& app);
Command add_growth(CLI::App& app);
Command add_ops(CLI::App& app);
Command add_paper(CLI::App& app);
Command add_report(CLI::App& app);
Command add_run(CLI::App& app);
Command add_profile(CLI::App& app);
Command add_track(CLI::App& app);
Command add_view(CLI::App& app);

}  // namespace klingel::cli
