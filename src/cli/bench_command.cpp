// klingel bench and klingel growth: what time steps and longer trains cost.
#include <charconv>
#include <memory>

#include "bench/bench.hpp"
#include "bench/growth.hpp"
#include "cli/command.hpp"

namespace klingel::cli {

Command bench_command() {
  const auto a = std::make_shared<bench::BenchOptions>();
  Command c{Group::measure, "bench", "Measure the run time of a step, and of its parts"};
  c.examples = {"klingel bench", "klingel bench coach_300m --steps 2000 --json times.json"};
  c.option("what", a->what, "Vehicle or scenario: a shipped name or a file").names(Names::scenario);
  c.option("--steps", a->steps, "Steps of each repetition")
      .default_text("the whole scenario")
      .at_least(1);
  c.option("--replays", a->replays, "Repetitions; the shortest counts").at_least(1);
  c.option("--only-steps", a->only_steps, "Steps and nothing else, to count instructions");
  c.option("--cold", a->cold, "Only steps whose code and data have left the caches");
  c.option("--fleet", a->fleet, "Only this number of vehicles, on all processors")
      .at_least(0)
      .at_most(1e6);
  c.option("--only-lanes", a->only_lanes, "The same for vehicles on lanes");
  c.option("--json", a->json, "Write the results to this file, too")
      .written()
      .excludes("--only-steps");
  c.run = [a] {
    bench::bench(*a);
    return ExitCode::fine;
  };
  return c;
}

Command growth_command() {
  const auto a = std::make_shared<bench::GrowthOptions>();
  // how long a train may be
  const auto units = [](const std::string& text) -> std::string {
    int n = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, n);
    if (error == std::errc() && stop == end && n >= 1 && n <= 1000) return "";
    return "expected a number of units from 1 to 1000, found '" + text + "'";
  };
  Command c{Group::measure, "growth", "Measure what longer trains cost, compared with one unit"};
  c.examples = {"klingel growth", "klingel growth --units 1 2 4 --steps 500"};
  c.option("what", a->what, "Train, or a scenario with one: a shipped name or a file")
      .names(Names::scenario);
  c.option("--units", a->counts, "Numbers of units").value("COUNT...").check(units);
  c.option("--steps", a->steps, "Steps of each repetition").at_least(1);
  c.option("--replays", a->replays, "Repetitions; the shortest counts").at_least(1);
  c.option("--backend", a->backend, "How kernels run").suggest({"jit", "cc", "interpreter"});
  c.option("--json", a->json, "Write the results to this file, too").written();
  c.run = [a] {
    bench::growth(*a);
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
