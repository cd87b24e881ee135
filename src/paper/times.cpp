#include "paper/times.hpp"

#include <fmt/format.h>

#include <string>

#include "bench/step_bench.hpp"
#include "bench/step_phases.hpp"
#include "exec/backend.hpp"
#include "kernel/abi.h"

namespace klingel::paper {
namespace {

using report::Agreement;

// The article's table, µs, and what is measured here for each row.
struct Task {
  const char* name;
  int article;
  const char* ours;
};
constexpr Task tasks[bench::step_rows] = {
    {"contact areas, Kalker coefficients, C of the contacts (× 8)", 30,
     "the same, including flange contacts"},
    {"look-up of spline coefficients (× 8)", 1, "once for every tread"},
    {"evaluate M, delta, gamma_n", 55, "kernels of the vehicle, slip and gamma_n of the contacts"},
    {"dynamics solution for dq, lambda", 103,
     "matrix, elimination in its sparse pattern, solution"},
    {"time integration for q", 1, "the same"},
    {"evaluate phi, Jacobians, beta_n", 29, "phi and frames, including the corrections of s"},
    {"projection solution for q, dq, s, ds", 37, "solutions with the existing factors; ds"}};

std::string kernel_times(const compile::PreparedRun& p) {
  std::string csv = "kernel,wheels_at_once,body,microseconds\n";
  for (const exec::Kernel* kernel : {p.kernel.get(), p.contact.get()}) {
    const klingel_kernel& k = kernel->abi();
    for (const bench::CallTime& t : bench::time_calls(*kernel))
      csv += fmt::format("{},{},{},{:.3f}\n", k.model, k.lanes, t.name, t.us);
  }
  return csv;
}

}  // namespace

void add_paper_times(PaperContents& contents, compile::PreparedRun& p,
                     const record::RunSummary& summary) {
  // the shortest time of each step of some replays: other programs disturb single steps
  constexpr int replays = 3;
  const bench::StepPhases phases = bench::time_phases(p, summary.steps, replays);
  const bench::StepTimes steps = bench::time_steps(p, summary.steps, replays);

  const auto text = [](double us) { return fmt::format("{:.2f}", us); };
  report::PaperTable table{{"task", "article, µs", "Klingel, µs", "ratio", "ours is"}, {}};
  std::string csv = "task,article_us,klingel_us\n";
  int theirs = 0;
  double known = 0;
  std::size_t slower = 0;
  std::string slow;
  for (std::size_t i = 0; i < bench::step_rows; ++i) {
    const Task& task = tasks[i];
    const double us = phases.us[i];
    theirs += task.article, known += us;
    if (us > task.article) ++slower, slow += (slow.empty() ? "" : "; ") + std::string(task.name);
    table.rows.push_back({task.name, fmt::format("{}", task.article), text(us),
                          us > 0 ? fmt::format("{:.0f}", task.article / us) : "–", task.ours});
    csv += fmt::format("\"{}\",{},{:.3f}\n", task.name, task.article, us);
  }
  const double mean = steps.us.mean, rest = mean - known;
  table.rows.push_back(
      {"everything else", "", text(rest), "",
       "search for flange and second contact points, lift-off and touching of wheels"});
  table.rows.push_back({"total, mean of all steps", fmt::format("{}", theirs), text(mean),
                        fmt::format("{:.0f}", theirs / mean), ""});
  csv += fmt::format("everything else,,{:.3f}\ntotal,{},{:.3f}\n", rest, theirs, mean);
  const report::PaperTable spread{
      {"Klingel, µs per step", "mean", "median", "99th percentile", "99.9th percentile", "maximum"},
      {{fmt::format("shortest of {} replays", replays + 1), text(mean), text(steps.us.p50),
        text(steps.us.p99), text(steps.us.p999), text(steps.us.max)}}};

  report::PaperPart part;
  part.id = "table:times";
  part.title = "Processor time per step of 1 ms";
  part.article = fmt::format(
      "Its first table, on a seven years old Intel Core i5 at 3.5 GHz: {} µs per step of 1 ms, "
      "hard real time by a wide margin.",
      theirs);
  part.ours = report::markup(table) + "<br>" + report::markup(spread);
  const double h_us = 1e6 * summary.step;
  const bool in_time = steps.us.max < h_us, faster = mean < theirs;
  part.agreement = in_time && faster ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "A step takes {:.1f} µs on average, {:.0f} times {} than the article's {} µs on another "
      "machine, and {:.1f} µs at most, {:.1f} % of the {:g} µs that it simulates: {}. {} The rows "
      "sum "
      "to {:.1f} µs, {:.0f} % of the mean; {:.2f} systems are solved per step.",
      mean, faster ? theirs / mean : mean / theirs, faster ? "less" : "more", theirs, steps.us.max,
      100 * steps.us.max / h_us, h_us,
      in_time ? "hard real time on this computer" : "not hard real time on this computer",
      slower == 0 ? fmt::format("All {} tasks take less than the article's.", bench::step_rows)
                  : fmt::format("{} of {} tasks take more than the article's: {}.", slower,
                                bench::step_rows, slow),
      known, 100 * known / mean, phases.solutions);
  part.criterion = fmt::format(
      "Agrees if no step of the run takes longer than the {:g} µs that it simulates, which is hard "
      "real time, and if the mean is below the article's total: computers are faster now.",
      h_us);
  part.note = fmt::format(
      "Measured in this run on this computer, while other programs may have been running: the "
      "shortest of {} replays of every step. The rows come from kernels whose calls are timed one "
      "by one, {}. Back end of the vehicle's kernels: {}.",
      replays, phases.same ? "with the same results to the last bit" : "with results that differ",
      exec::name(p.kernel->backend()));
  contents.add(std::move(part), {{"times.csv", csv}, {"kernel_times.csv", kernel_times(p)}});
}

}  // namespace klingel::paper
