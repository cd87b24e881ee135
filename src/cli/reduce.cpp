// klingel reduce: what reductions of the equations save and what they change.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/reduce_report.hpp"
#include "examples/mechanisms.hpp"

namespace klingel::cli {

Command reduce_command() {
  const auto a = std::make_shared<ReduceArguments>();
  Command c{Group::models, "reduce", "Shorten a model's equations, and say what that changes"};
  c.about =
      "Makes the equations of a vehicle or of a mechanism with and without reductions and compares "
      "operations, a run, and the time of a step. A vehicle has the same reductions at every run "
      "with [model] reduce = [...] in its file; docs/reduction.md explains them.\n\n"
      "With --bound, inertial parameters are left out one after the other, the one of the least "
      "share in the forces of the run first, until the error passes the bound.";
  c.examples = {"klingel reduce arm --parameters", "klingel reduce feve3000_corrected",
                "klingel reduce coach_150m --reduce linearisation --small roll,pitch",
                "klingel reduce arm --bound 0.05 --svg curve.svg"};
  c.option("model", a->model,
           "Vehicle or scenario, shipped or a file, or a mechanism that 'klingel example' lists")
      .names(Names::scenario)
      .required();
  c.option("--reduce", a->reduce,
           "Reductions, separated by commas: trigonometric, base_parameters, elimination, "
           "linearisation")
      .separated_by(',')
      .suggest({"trigonometric", "base_parameters", "elimination", "linearisation"})
      .default_text("base_parameters,trigonometric");
  c.option("--small", a->small,
           "For linearisation: coordinates that stay small, by full name or its last part")
      .separated_by(',')
      .value("NAMES");
  c.option("--drop", a->drop, "For elimination: inertial parameters to leave out")
      .separated_by(',')
      .value("NAMES");
  c.option("--bound", a->bound, "Find an elimination: largest error of forces, 0.01 is a per cent")
      .at_most(100)
      .default_text("none")
      .check([](const std::string& text) {
        return !text.empty() && text[0] == '-' ? std::string("must not be below zero")
                                               : std::string();
      });
  c.option("--svg", a->svg, "Draw error against operations of --bound").names(Names::file);
  c.option("--duration", a->duration, "Simulated time")
      .unit("s")
      .above(0)
      .at_most(1e6)
      .default_text("the model's own");
  c.option("--parameters", a->parameters, "Print inertial parameters and base parameters");
  c.option("--no-run", a->no_run, "Count only");
  c.option("--json", a->json, "Print JSON");
  c.run = [a] {
    if (!a->svg.empty() && a->bound < 0) base::fail("--svg draws what --bound finds: give both");
    const auto all = examples::mechanisms();
    const bool mechanism = std::any_of(
        all.begin(), all.end(), [&](const examples::Mechanism& m) { return m.name == a->model; });
    const ReduceReport r = mechanism ? reduce_mechanism(*a) : reduce_vehicle(*a);
    a->json ? print_json(r) : print(r);
    if (!a->svg.empty()) base::write_file(a->svg, elimination_plot(r));
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
