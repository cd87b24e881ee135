#include "cli/reduce_report.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "reduce/rank.hpp"
#include "reduce/regressor.hpp"
#include "report/plot.hpp"
#include "sym/live_atoms.hpp"
#include "sym/print.hpp"

namespace klingel::cli {
namespace {

std::size_t operations(const gen::Program& program, const std::vector<const sym::Function*>& list) {
  std::vector<sym::Id> roots;
  for (const sym::Function* f : list)
    for (const sym::Output& o : f->outputs)
      for (const sym::Entry& e : o.matrix.entries()) roots.push_back(e.value.id());
  return static_cast<std::size_t>(sym::LiveAtoms(program.graph(), roots).total().operations);
}

std::string percent(std::size_t before, std::size_t after) {
  if (before == 0) return "";
  return fmt::format("{:+.1f} %",
                     100 * (static_cast<double>(after) / static_cast<double>(before) - 1));
}

}  // namespace

std::vector<ReduceRow> compared(const gen::Program& before, const gen::Program& after,
                                const std::function<bool(const sym::Function&)>& in_step) {
  std::vector<ReduceRow> rows;
  std::vector<const sym::Function*> step_before, step_after;
  for (std::size_t i = 0; i < before.functions().size(); ++i) {
    const sym::Function &f = before.functions()[i], &g = after.functions()[i];
    rows.push_back({f.name, operations(before, {&f}), operations(after, {&g})});
    if (!in_step(f)) continue;
    step_before.push_back(&f);
    step_after.push_back(&g);
  }
  rows.push_back({"step", operations(before, step_before), operations(after, step_after)});
  return rows;
}

void add_parameters(mech::Model& plain, const mech::Model& reduced, ReduceReport& report) {
  report.formulas = reduce::inertial_parameters(reduced.inertias());
  const std::vector<mech::Body> bodies(plain.bodies().begin(), plain.bodies().end());
  reduce::Regressor regressor(plain, bodies, true);
  const reduce::BaseParameters base =
      reduce::base_parameters(regressor.stacked_on_constraints(reduce::random_states(plain, 60)));
  for (const reduce::BaseParameter& p : base.base)
    report.base_parameters.push_back(reduce::text(p, regressor.parameters()));
}

void print(const ReduceReport& r) {
  fmt::print("{}: {}\n\n", r.model, fmt::join(r.reductions, ", "));
  fmt::print("{:<14}{:>10}{:>10}{:>10}\n", "operations of", "before", "after", "change");
  for (const ReduceRow& row : r.functions)
    fmt::print("{:<14}{:>10}{:>10}{:>10}\n", row.name, row.before, row.after,
               percent(row.before, row.after));
  fmt::print(
      "\nEach function with all it needs; 'step': all that every step needs, together. What only\n"
      "parameters need is computed once and not counted.\n"
      "Inertial parameters that are not zero: {} before, {} after\n",
      r.parameters_before, r.parameters_after);
  if (!r.run.empty()) {
    fmt::print("\n{}: {:.3g} us per step before, {:.3g} after\n\n", r.run, r.us_before, r.us_after);
    fmt::print("{:<22}{:>14}{:>16}\n", "quantity", "largest", "largest change");
    for (const ReduceChange& c : r.changes)
      fmt::print("{:<22}{:>14.6g}{:>16.3g}\n",
                 c.unit.empty() ? c.quantity : fmt::format("{} [{}]", c.quantity, c.unit), c.size,
                 c.change);
  }
  if (!r.formulas.empty()) {
    fmt::print("\nInertial parameters that the equations are made from:\n");
    for (const reduce::InertialParameter& p : r.formulas)
      fmt::print("  {} = {}\n", p.name, sym::text(p.value));
  }
  if (!r.base_parameters.empty()) {
    fmt::print("\n{} base parameters, by QR of the regressor at random states:\n",
               r.base_parameters.size());
    for (const std::string& p : r.base_parameters) fmt::print("  {}\n", p);
  }
  if (r.elimination) {
    fmt::print("\nLeft out one after the other, with the error of the forces in this motion:\n\n");
    fmt::print("{:<40}{:>12}{:>12}\n", "parameter", "error", "operations");
    fmt::print("{:<40}{:>12}{:>12}\n", "(all of them)", 0, r.elimination->operations);
    for (const reduce::Elimination::Step& s : r.elimination->steps)
      fmt::print("{:<40}{:>12.3g}{:>12}\n", s.parameter, s.error, s.operations);
  }
}

void print_json(const ReduceReport& r) {
  const auto number = [](std::size_t x) { return static_cast<std::int64_t>(x); };
  base::Json json;
  json.begin_object().key("model").value(r.model).key("reductions").begin_array();
  for (const std::string& name : r.reductions) json.value(name);
  json.end_array().key("operations").begin_object();
  for (const ReduceRow& row : r.functions) {
    json.key(row.name).begin_object().key("before").value(number(row.before));
    json.key("after").value(number(row.after)).end_object();
  }
  json.end_object().key("inertial_parameters").begin_object();
  json.key("before").value(number(r.parameters_before));
  json.key("after").value(number(r.parameters_after)).end_object();
  if (!r.run.empty()) {
    json.key("run").begin_object().key("what").value(r.run);
    json.key("us_before").value(r.us_before).key("us_after").value(r.us_after);
    json.key("changes").begin_array();
    for (const ReduceChange& c : r.changes) {
      json.begin_object().key("quantity").value(c.quantity).key("unit").value(c.unit);
      json.key("largest").value(c.size).key("largest_change").value(c.change).end_object();
    }
    json.end_array().end_object();
  }
  if (!r.formulas.empty()) {
    json.key("formulas").begin_object();
    for (const reduce::InertialParameter& p : r.formulas)
      json.key(p.name).value(sym::text(p.value));
    json.end_object().key("base_parameters").begin_array();
    for (const std::string& p : r.base_parameters) json.value(p);
    json.end_array();
  }
  if (r.elimination) {
    json.key("elimination").begin_array();
    for (const reduce::Elimination::Step& s : r.elimination->steps) {
      json.begin_object().key("parameter").value(s.parameter).key("error").value(s.error);
      json.key("operations").value(number(s.operations)).end_object();
    }
    json.end_array();
  }
  json.end_object();
  fmt::print("{}", json.text());
}

std::string elimination_plot(const ReduceReport& r) {
  report::Plot plot{r.model + ": error against operations",
                    "operations of M_qq and delta_q",
                    "error of forces, % of their rms",
                    {},
                    false,
                    760,
                    360};
  report::Series curve{"", {static_cast<double>(r.elimination->operations)}, {0.0}};
  report::Series points = curve;
  for (const reduce::Elimination::Step& s : r.elimination->steps) {
    curve.x.push_back(static_cast<double>(s.operations));
    curve.y.push_back(100 * s.error);
  }
  points = curve;
  points.style = report::Style::points;
  plot.series = {curve, points};
  return report::svg(plot);
}

}  // namespace klingel::cli
