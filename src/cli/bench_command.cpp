// klingel bench and klingel growth: what time steps and longer trains cost.
#include <memory>

#include "bench/bench.hpp"
#include "bench/growth.hpp"
#include "cli/command.hpp"

namespace klingel::cli {

Command add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "time per step, and where it goes");
  const auto a = std::make_shared<bench::BenchOptions>();
  command->add_option("what", a->what, "vehicle or scenario; the locomotive without");
  command->add_option("--steps", a->steps, "steps of a replay; the whole scenario without");
  command->add_option("--replays", a->replays, "how often the run is repeated; 5 without");
  command->add_option("--json", a->json, "write the results to this file");
  return {command, [a] {
            bench::bench(*a);
            return ExitCode::fine;
          }};
}

Command add_growth(CLI::App& app) {
  CLI::App* command = app.add_subcommand("growth", "what longer trains cost, beside one unit");
  const auto a = std::make_shared<bench::GrowthOptions>();
  command->add_option("what", a->what, "train, or a scenario with one; 'train' without");
  command->add_option("--units", a->counts, "lengths of train; 1 2 4 8 without")
      ->check(CLI::Range(1, 1000));
  command->add_option("--steps", a->steps, "steps of a replay; 1000 without");
  command->add_option("--replays", a->replays, "how often the run is repeated; 5 without");
  command->add_option("--backend", a->backend, "jit, cc or interpreter; jit without");
  command->add_option("--json", a->json, "write the results to this file");
  return {command, [a] {
            bench::growth(*a);
            return ExitCode::fine;
          }};
}

}  // namespace klingel::cli
