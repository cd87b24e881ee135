#include "cli/paper_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "cli/step_bench.hpp"
#include "exec/backend.hpp"
#include "kernel/abi.h"

namespace klingel::cli {
namespace {

using report::Agreement;

// Matrix and solution of the step, µs: the stages from that of the one to that of the other, where
// the elimination is, and `solve` itself; 0 if there are no functions of these names.
double time_of_system(const exec::Kernel& kernel, const std::vector<CallTime>& times) {
  const klingel_kernel& k = kernel.abi();
  const auto find = [&k](std::string_view name) {
    const std::span functions(k.functions, k.n_functions);
    return std::find_if(functions.begin(), functions.end(),
                        [name](const klingel_function& f) { return f.name == name; }) -
           functions.begin();
  };
  const auto matrix = find("step_matrix"), solve = find("solve");
  if (matrix == k.n_functions || solve == k.n_functions) return 0;
  double sum = 0;
  for (std::uint32_t s = k.functions[matrix].stage; s <= k.functions[solve].stage; ++s) {
    const std::string stage = std::string("stage ") + k.stages[s].name;
    for (const CallTime& t : times) sum += t.name == stage ? t.us : 0;
  }
  for (const CallTime& t : times) sum += t.name == "solve" ? t.us : 0;
  return sum;
}

}  // namespace

void add_paper_times(PaperContents& contents, VehiclePipeline& p,
                     const record::RunSummary& summary) {
  constexpr struct {
    const char* task;
    int time;
  } printed[] = {{"contact areas, Kalker coefficients, C of the contacts (× 8)", 30},
                 {"look-up of splines (× 8)", 1},
                 {"evaluate M, delta, gamma_n", 55},
                 {"dynamics solution", 103},
                 {"time integration", 1},
                 {"evaluate phi and Jacobians", 29},
                 {"projection solution", 37}};
  constexpr int total = 256;
  report::PaperTable theirs{{"the article's tasks", "µs"}, {}};
  for (const auto& row : printed) theirs.rows.push_back({row.task, fmt::format("{}", row.time)});
  theirs.rows.push_back({"total", fmt::format("{}", total)});

  // every step with its shortest time of some replays: others work on the machine, too
  constexpr int replays = 2;
  const StepTimes steps = time_steps(p, summary.steps, replays);
  const auto text = [](double us) { return fmt::format("{:.1f}", us); };
  const report::PaperTable ours{
      {fmt::format("Klingel, steps of the run, shortest of {}", replays + 1), "µs"},
      {{"mean", text(steps.us.mean)},
       {"middle", text(steps.us.p50)},
       {"99 % are below", text(steps.us.p99)},
       {"longest", text(steps.us.max)},
       {"mean of the first run, as it came", text(1e6 * summary.step_mean)}}};

  report::PaperTable bodies{{"kernel, one call", "µs"}, {}};
  std::string csv = "kernel,body,microseconds\n";
  double solve = 0;
  for (const exec::Kernel* kernel : {p.kernel.get(), p.contact.get()}) {
    const std::vector<CallTime> times = time_calls(*kernel);
    const klingel_kernel& k = kernel->abi();
    const std::string lanes = k.lanes > 1 ? fmt::format(" ({} wheels at once)", k.lanes) : "";
    for (const CallTime& t : times) {
      bodies.rows.push_back(
          {fmt::format("{}{}, {}", k.model, lanes, t.name), fmt::format("{:.2f}", t.us)});
      csv += fmt::format("{},{},{:.3f}\n", k.model, t.name, t.us);
    }
    if (kernel == p.kernel.get()) solve = time_of_system(*kernel, times);
  }

  report::PaperPart part;
  part.id = "table:times";
  part.title = "Processor time per step of 1 ms";
  part.article = fmt::format(
      "Its first table, on a seven years old Intel Core i5 at 3.5 GHz: {} µs per step of 1 ms, "
      "hard "
      "real time by a wide margin; the trapezoidal rule reaches soft real time only.",
      total);
  part.ours =
      report::markup(theirs) + "<br>" + report::markup(ours) + "<br>" + report::markup(bodies);
  const double mean = steps.us.mean;
  part.agreement = mean < total ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "Here a step takes {:.0f} µs on average and {:.0f} µs for 99 % of the steps, {:.1f} times "
      "less "
      "than the article's {} µs on another machine; {:.0f} times real time. {}Kernels of the "
      "vehicle "
      "ran by {}. Times are of this computer at this moment, with what else it was doing.",
      mean, steps.us.p99, total / mean, total, 1e6 * summary.step / mean,
      solve > 0 ? fmt::format("Matrix and solution of the step's system take {:.1f} µs (article: "
                              "103 µs for the solution). ",
                              solve)
                : "",
      exec::name(p.kernel->backend()));
  contents.add(std::move(part), {{"kernel_times.csv", csv}});
}

}  // namespace klingel::cli
