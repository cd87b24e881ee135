// klingel reduce of a mechanism: the same motion with and without reductions.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <sstream>

#include "base/error.hpp"
#include "cli/pipeline.hpp"
#include "cli/reduce_report.hpp"
#include "examples/mechanisms.hpp"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "vehicle/reductions.hpp"

namespace klingel::cli {
namespace {

struct Run {
  std::vector<std::vector<double>> rows;  // q, dq, ddq; energy at the end
  std::vector<double> energy;
  double us = 0;
};

Pipeline pipeline_of(const examples::Mechanism& e, const reduce::Options& options) {
  Pipeline p;
  p.model = std::make_unique<mech::Model>(e.name);
  e.build(*p.model);
  reduce::reduce_inertias(*p.model, options);
  p.equations = mech::equations(*p.model);
  sym::Interface interface = mech::interface(*p.model, p.equations);
  const std::vector<std::string> linear = {"M_qq", "delta_q"};
  reduce::reduce_functions(*p.model, options, linear, interface);
  p.program = std::make_unique<gen::Program>(p.model->graph(), e.name, interface);
  return p;
}

void fail_if(runtime::Status status, const std::string& text) {
  if (status != runtime::Status::ok) base::fail("the motion does not go on: {}", text);
}

void add_row(mechanism::Mechanism& m, const mechanism::State& state, Run& run) {
  std::vector<double> ddq(m.coordinates()), lambda(m.constraints());
  fail_if(m.accelerations(state, ddq, lambda), m.failure_text());
  std::vector<double> row = state.q;
  row.insert(row.end(), state.dq.begin(), state.dq.end());
  row.insert(row.end(), ddq.begin(), ddq.end());
  run.rows.push_back(row);
  const mechanism::Energy energy = m.energy(state);
  run.energy.push_back(energy.kinetic + energy.potential);
}

Run run_of(Pipeline& p, const examples::Mechanism& e, double duration) {
  load(p, {});
  mechanism::Mechanism& m = *p.mechanism;
  mechanism::Held held;
  std::istringstream names(e.held);
  for (std::string name; names >> name;) {
    held.coordinates.push_back(name);
    held.rates.push_back("d" + name);
  }
  Run run;
  const auto steps = static_cast<std::size_t>(std::lround(duration / e.step));
  // the same motion again and again: the shortest time of every stretch counts
  constexpr std::size_t stretch = 50, replays = 7;
  std::vector<double> seconds((steps + stretch - 1) / stretch, INFINITY);
  for (std::size_t replay = 0; replay < replays; ++replay) {
    mechanism::State state = m.nominal_state();
    mechanism::assemble(m, state, held);
    mechanism::Integrator integrator(m,
                                     {.method = mechanism::method_by_name(e.method), .h = e.step});
    if (replay == 0) {
      for (std::size_t k = 0; k < steps; ++k) {
        if (k % 10 == 0) add_row(m, state, run);
        fail_if(integrator.step(state), integrator.failure_text());
      }
      continue;
    }
    for (double& shortest : seconds) {
      const auto clock = std::chrono::steady_clock::now();
      for (std::size_t k = 0; k < stretch; ++k)
        fail_if(integrator.step(state), integrator.failure_text());
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - clock;
      shortest = std::min(shortest, time.count());
    }
  }
  double sum = 0;
  for (const double s : seconds) sum += s;
  run.us = 1e6 * sum / static_cast<double>(stretch * seconds.size());
  return run;
}

}  // namespace

ReduceReport reduce_mechanism(const ReduceArguments& a) {
  const examples::Mechanism& e = examples::mechanism(a.model);
  vehicle::Reductions given{a.reduce, a.small, a.drop, {"--reduce", 0, 0}};
  vehicle::check_reductions(given);
  const reduce::Options options{given.has("trigonometric"), given.has("base_parameters"), a.small,
                                a.drop};
  Pipeline before = pipeline_of(e, {}), after = pipeline_of(e, options);
  ReduceReport r;
  r.model = e.name;
  r.reductions = a.reduce;
  r.functions = compared(*before.program, *after.program, [&](const sym::Function& f) {
    return f.name != "energy" && f.about != "output of the model";
  });
  r.parameters_before = reduce::inertial_parameters(before.model->inertias()).size();
  r.parameters_after = reduce::inertial_parameters(after.model->inertias()).size();
  if (a.parameters) add_parameters(*before.model, *after.model, r);
  if (a.no_run && a.bound < 0) return r;
  const double duration = a.duration > 0 ? a.duration : e.duration;
  const Run plain = run_of(before, e, duration), short_one = run_of(after, e, duration);
  r.run = fmt::format("run of {:g} s", duration);
  r.us_before = plain.us;
  r.us_after = short_one.us;
  const std::size_t n = before.equations.q.size();
  const char* quantities[] = {"q", "dq", "ddq"};
  for (std::size_t part = 0; part < 3; ++part) {
    ReduceChange change{quantities[part], "", 0, 0};
    for (std::size_t k = 0; k < plain.rows.size(); ++k) {
      for (std::size_t i = part * n; i < (part + 1) * n; ++i) {
        change.size = std::max(change.size, std::abs(plain.rows[k][i]));
        change.change = std::max(change.change, std::abs(plain.rows[k][i] - short_one.rows[k][i]));
      }
    }
    r.changes.push_back(change);
  }
  ReduceChange energy{"energy", "J", 0, 0};
  for (std::size_t k = 0; k < plain.energy.size(); ++k) {
    energy.size = std::max(energy.size, std::abs(plain.energy[k]));
    energy.change = std::max(energy.change, std::abs(plain.energy[k] - short_one.energy[k]));
  }
  r.changes.push_back(energy);
  if (a.bound >= 0) r.elimination = reduce::eliminate(*after.model, {plain.rows}, a.bound);
  return r;
}

}  // namespace klingel::cli
