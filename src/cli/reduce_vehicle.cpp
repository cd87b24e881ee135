// klingel reduce of a vehicle: the same run with and without reductions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/step_bench.hpp"
#include "cli/reduce_report.hpp"
#include "study/whole_run.hpp"

namespace klingel::cli {
namespace {

constexpr std::int64_t timed_steps = 2000;

// Channels of the same family together, by the largest value.
std::vector<ReduceChange> changes(const record::Recording& before, const record::Recording& after) {
  std::vector<ReduceChange> list;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  const std::size_t rows = std::min(before.rows(), after.rows());
  for (std::size_t c = 0; c < before.channels().size(); ++c) {
    const record::Channel& channel = before.channels()[c];
    if (channel.name == "t") continue;
    const std::string family = channel.name.substr(0, channel.name.find('.'));
    const auto [at, is_new] = places.try_emplace({family, channel.unit}, list.size());
    if (is_new) list.push_back({family, channel.unit, 0, 0});
    ReduceChange& change = list[at->second];
    const std::span<const double> x = before.column(c), y = after.column(c);
    for (std::size_t k = 0; k < rows; ++k) {
      if (!std::isfinite(x[k]) || !std::isfinite(y[k])) continue;
      change.size = std::max(change.size, std::abs(x[k]));
      change.change = std::max(change.change, std::abs(x[k] - y[k]));
    }
  }
  return list;
}

// States along the run for an elimination: accelerations are differences of rates over a step.
reduce::Motion motion_of(const vehicle::Scenario& scenario, double duration) {
  compile::PreparedRun run = compile::prepare_run(scenario);
  reduce::Motion motion;
  const auto steps = static_cast<std::int64_t>(std::lround(duration / scenario.step));
  for (std::int64_t k = 0; k < steps; ++k) {
    const step::VehicleState before = run.simulator->state();
    if (!run.instance->step()) break;
    if (k % 20 != 0) continue;
    const step::VehicleState& after = run.simulator->state();
    std::vector<double> row = before.q;
    row.insert(row.end(), before.dq.begin(), before.dq.end());
    for (std::size_t i = 0; i < before.dq.size(); ++i)
      row.push_back((after.dq[i] - before.dq[i]) / scenario.step);
    motion.rows.push_back(std::move(row));
  }
  return motion;
}

}  // namespace

ReduceReport reduce_vehicle(const ReduceArguments& a) {
  vehicle::Scenario plain = vehicle::load_scenario(a.model), shorter = plain;
  plain.reductions.emplace();
  shorter.reductions = vehicle::Reductions{a.reduce, a.small, a.drop, {"--reduce", 0, 0}};
  compile::PreparedRun before = compile::prepare_run(plain), after = compile::prepare_run(shorter);
  ReduceReport r;
  r.model = before.vehicle.name;
  r.reductions = a.reduce;
  r.functions =
      compared(compile::vehicle_program(*before.model), compile::vehicle_program(*after.model),
               [](const sym::Function& f) { return !f.rare; });
  r.parameters_before = reduce::inertial_parameters(before.model->mechanics.inertias()).size();
  r.parameters_after = reduce::inertial_parameters(after.model->mechanics.inertias()).size();
  if (a.parameters) add_parameters(before.model->mechanics, after.model->mechanics, r);
  const double duration = a.duration > 0 ? a.duration : plain.duration;
  if (!a.no_run) {
    r.run = fmt::format("{}, {:g} s", plain.name, duration);
    study::RunOptions options;
    options.duration = duration;
    const study::Outcome x = study::whole_run(before, options),
                         y = study::whole_run(after, options);
    r.changes = changes(x.recording, y.recording);
    const auto steps =
        std::min(timed_steps, static_cast<std::int64_t>(std::lround(duration / plain.step)));
    compile::PreparedRun timed_before = compile::prepare_run(plain),
                         timed_after = compile::prepare_run(shorter);
    r.us_before = bench::time_steps(timed_before, steps, 5).us.p50;
    r.us_after = bench::time_steps(timed_after, steps, 5).us.p50;
  }
  if (a.bound >= 0)
    r.elimination = reduce::eliminate(after.model->mechanics, motion_of(plain, duration), a.bound);
  return r;
}

}  // namespace klingel::cli
