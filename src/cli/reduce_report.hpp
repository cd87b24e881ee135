// What `klingel reduce` prints: operations before and after, changes of a run, time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gen/program.hpp"
#include "reduce/eliminate.hpp"
#include "reduce/reductions.hpp"

namespace klingel::cli {

struct ReduceArguments {
  std::string model, svg;
  std::vector<std::string> reduce = {"base_parameters", "trigonometric"}, small, drop;
  double bound = -1;  // of an elimination to be found; below zero: none
  double duration = 0;
  bool parameters = false, json = false, no_run = false;
};

struct ReduceRow {
  std::string name;
  std::size_t before = 0, after = 0;
};

// How much a quantity of a run changed.
struct ReduceChange {
  std::string quantity, unit;
  double size, change;  // largest value, largest difference
};

struct ReduceReport {
  std::string model, run;
  std::vector<std::string> reductions;
  std::vector<ReduceRow> functions;
  std::size_t parameters_before = 0, parameters_after = 0;  // inertial, not zero
  std::vector<ReduceChange> changes;
  double us_before = 0, us_after = 0;  // per step
  std::vector<reduce::InertialParameter> formulas;
  std::vector<std::string> base_parameters;  // by numbers
  std::optional<reduce::Elimination> elimination;
};

// Operations of each function with all below it, then of some together ("step"): those that every
// step needs; setup not included.
std::vector<ReduceRow> compared(const gen::Program& before, const gen::Program& after,
                                const std::function<bool(const sym::Function&)>& in_step);

// Formulas of inertial parameters as they are used, and base parameters by numbers.
void add_parameters(mech::Model& plain, const mech::Model& reduced, ReduceReport& report);

void print(const ReduceReport& report);
void print_json(const ReduceReport& report);
// Error against operations, as SVG.
std::string elimination_plot(const ReduceReport& report);

// Of the mechanisms of `klingel example`, and of vehicles.
ReduceReport reduce_mechanism(const ReduceArguments& arguments);
ReduceReport reduce_vehicle(const ReduceArguments& arguments);

}  // namespace klingel::cli
