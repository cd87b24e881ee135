// klingel example: lists the shipped mechanisms, or runs one of them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "cli/pipeline.hpp"
#include "cli/vehicle_arguments.hpp"
#include "examples/mechanisms.hpp"
#include "gen/emit_c.hpp"
#include "mech/graphviz.hpp"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "mechanism/state_file.hpp"
#include "sym/count.hpp"
#include "sym/print.hpp"

namespace klingel::cli {
namespace {

struct ExampleArguments {
  std::string name, out, method, backend = "automatic";
  double duration = 0, step = 0, interval = 0.01;
  std::vector<std::string> set;
};

void print_list() {
  fmt::print("Shipped mechanisms; run one with 'klingel example NAME':\n\n");
  for (const examples::Mechanism& e : examples::mechanisms())
    fmt::print("  {:<16} {}\n", e.name, e.title);
}

double number(const std::string& text, const std::string& what) {
  std::size_t used = 0;
  double value = NAN;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || !std::isfinite(value))
    base::fail("'{}' is not a number ({})", text, what);
  return value;
}

// name=value for coordinates, rates, parameters and inputs
void apply(const std::vector<std::string>& settings, mechanism::Mechanism& mechanism,
           mechanism::State& state) {
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& s : settings) {
    const std::size_t equals = s.find('=');
    if (equals == std::string::npos) base::fail("--set needs name=value, found '{}'", s);
    const std::string name = s.substr(0, equals);
    const double value = number(s.substr(equals + 1), "--set " + s);
    if (has(mechanism.coordinate_names(), name)) {
      mechanism.coordinate(state, name) = value;
    } else if (has(mechanism.rate_names(), name)) {
      mechanism.rate(state, name) = value;
    } else if (has(mechanism.parameter_names(), name)) {
      mechanism.set_parameter(name, value);
    } else if (has(mechanism.input_names(), name)) {
      mechanism.set_input(name, value);
    } else {
      std::vector<std::string> names = mechanism.coordinate_names();
      for (const auto* more :
           {&mechanism.rate_names(), &mechanism.parameter_names(), &mechanism.input_names()}) {
        names.insert(names.end(), more->begin(), more->end());
      }
      base::fail("'{}' has no coordinate, rate, parameter or input '{}'{}", mechanism.name(), name,
                 base::did_you_mean(name, names));
    }
  }
}

exec::Options back_end(const std::string& name) {
  exec::Options options;
  options.backend = exec::backend_by_name(name);
  return options;
}

void print_equations(const Pipeline& p) {
  std::vector<sym::Expr> M;
  for (const sym::Entry& e : p.equations.M_qq.entries()) M.push_back(e.value);
  fmt::print("{}: bodies {}, coordinates {}, constraints {}\n", p.model->name(),
             p.model->bodies().size(), p.equations.q.size(), p.equations.phi.size());
  for (const std::string& w : p.model->warnings()) fmt::print("  warning: {}\n", w);
  fmt::print("  M_qq {} operations, delta_q {} ('klingel ops {}' has more)\n",
             sym::count(M).total(), sym::count(p.equations.delta_q).total(), p.model->name());
  constexpr std::size_t small = 3;
  if (p.equations.q.size() > small) return;
  std::vector<std::pair<std::string, sym::Expr>> results;
  for (const sym::Entry& e : p.equations.M_qq.entries()) {
    if (e.row >= e.col) results.emplace_back(fmt::format("M_{}{}", e.row + 1, e.col + 1), e.value);
  }
  fmt::print("\nMass matrix, lower triangle:\n");
  std::istringstream lines(sym::listing(results, sym::Language::c));
  for (std::string line; std::getline(lines, line);) fmt::print("  {}\n", line);
}

void write_outputs(const Pipeline& p, const mechanism::Trajectory& trajectory,
                   const std::filesystem::path& out) {
  mechanism::write_csv(trajectory, out / "results.csv");
  base::write_file((out / "bases.dot").string(), mech::bases_dot(*p.model));
  base::write_file((out / "points.dot").string(), mech::points_dot(*p.model));
  gen::write_files(gen::emit_c(*p.program).files, (out / "c").string());
  fmt::print(
      "\nWritten to {}: results.csv, the two trees (bases.dot, points.dot for 'dot -Tsvg'), C in "
      "c/\n",
      out.string());
}

ExitCode simulate(const ExampleArguments& a) {
  const examples::Mechanism& e = examples::mechanism(a.name);
  const double duration = a.duration > 0 ? a.duration : e.duration;
  const double step = a.step > 0 ? a.step : e.step;
  Pipeline p = describe(e.name, e.build);
  print_equations(p);
  load(p, back_end(a.backend));
  fmt::print("\nKernels: {}\n", p.kernel->note());

  mechanism::Mechanism& mechanism = *p.mechanism;
  mechanism::State state = mechanism.nominal_state();
  apply(a.set, mechanism, state);
  mechanism::Held held;
  std::istringstream names(e.held);
  for (std::string name; names >> name;) {
    held.coordinates.push_back(name);
    held.rates.push_back("d" + name);
  }
  const mechanism::Assembly assembly = mechanism::assemble(mechanism, state, held);
  fmt::print(
      "Assembled: {} degrees of freedom, {} redundant constraints, maximum residual {:.2g}\n",
      assembly.degrees_of_freedom, assembly.redundant, assembly.largest_phi);

  if (a.interval > duration)
    base::fail("--interval: rows every {:g} s of a simulation of {:g} s would be none", a.interval,
               duration);
  constexpr double most_steps = 1e9;
  if (duration / std::min(step, a.interval) > most_steps)
    base::fail("{:g} s in steps of {:g} s and rows every {:g} s are more than {:g} of them",
               duration, step, a.interval, most_steps);
  const mechanism::Method method =
      mechanism::method_by_name(a.method.empty() ? e.method : a.method);
  mechanism::Integrator integrator(mechanism, {.method = method, .h = step});
  mechanism::Trajectory trajectory(mechanism, mechanism::rows_for(state.t, duration, a.interval),
                                   mechanism.output_names());
  const mechanism::Energy start = mechanism.energy(state);
  const auto clock = std::chrono::steady_clock::now();
  const runtime::Status status = integrator.simulate(state, duration, a.interval, trajectory);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  const mechanism::Energy end = mechanism.energy(state);

  fmt::print("Simulated {:g} s in {} steps ({}), {:.3g} s run time: {:.3g} times real time\n",
             state.t, integrator.steps(), mechanism::name(method), seconds, state.t / seconds);
  const double before = start.kinetic + start.potential, after = end.kinetic + end.potential;
  fmt::print("Energy {:.9g} J at the start, {:.9g} J at the end\n", before, after);
  for (std::size_t i = 0; i < std::min<std::size_t>(6, state.q.size()); ++i) {
    fmt::print("  {} = {:.6g}, {} = {:.6g}\n", mechanism.coordinate_names()[i], state.q[i],
               mechanism.rate_names()[i], state.dq[i]);
  }
  if (!a.out.empty()) write_outputs(p, trajectory, a.out);
  if (status == runtime::Status::ok) return ExitCode::fine;
  const std::filesystem::path saved =
      std::filesystem::path(a.out.empty() ? "." : a.out) / "failed.state";
  mechanism::write_state(mechanism, state, saved);
  fmt::print(stderr, "{}\n    state written to {}\n", integrator.failure_text(), saved.string());
  return ExitCode::numeric_failure;
}

}  // namespace

Command example_command() {
  const auto a = std::make_shared<ExampleArguments>();
  const auto positive = [](const std::string& text) {
    return number(text, "a time in s") > 0 ? std::string()
                                           : fmt::format("must be above zero, found {}", text);
  };
  Command c{Group::models, "example", "List or run the shipped mechanisms"};
  c.examples = {"klingel example", "klingel example four_bar --out results"};
  c.option("name", a->name, "Name of a mechanism; without it, all are listed")
      .names(Names::example);
  c.option("--out", a->out, "Folder for results.csv, graphs of the mechanism and the generated C")
      .names(Names::folder);
  c.option("--duration", a->duration, "Simulated time")
      .unit("s")
      .default_text("the mechanism's own")
      .check(positive);
  c.option("--step", a->step, "Time step")
      .unit("s")
      .at_most(1000)
      .default_text("the mechanism's own")
      .check(positive);
  c.option("--interval", a->interval, "Time between rows of results").unit("s").check(positive);
  c.option("--method", a->method, "Integrator")
      .suggest({"semi_implicit_euler", "rk4", "implicit_midpoint", "dopri5"})
      .default_text("the mechanism's own");
  c.option("--set", a->set, "Value of a coordinate, rate, parameter or input")
      .value("NAME=VALUE")
      .repeatable();
  add_backend_option(c, a->backend).choices({"automatic", "interpreter", "jit", "cc"});
  c.run = [a] {
    if (!a->name.empty()) return simulate(*a);
    print_list();
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
