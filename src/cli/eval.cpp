// klingel eval: functions of a vehicle's model at a given state, through the interpreter.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/json_reader.hpp"
#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "cli/vehicle_arguments.hpp"
#include "exec/evaluator.hpp"
#include "exec/load.hpp"
#include "gen/program.hpp"
#include "mech/equations.hpp"
#include "model/build.hpp"

namespace klingel::cli {
namespace {

// What a requested name refers to: an output of a function.
struct Wanted {
  std::string name;
  std::string function;
  std::size_t output;
  std::size_t rows, cols;
};

// A function with one output may be requested by its own name; delta_NK is the article's name of
// delta_q without creep forces, and creep forces are no part of the mechanics.
std::vector<Wanted> outputs_named(const std::vector<sym::Function>& functions,
                                  const std::string& name) {
  const std::string meant = name == "delta_NK" ? "delta_q" : name;
  std::vector<Wanted> found;
  for (const sym::Function& f : functions) {
    for (std::size_t i = 0; i < f.outputs.size(); ++i) {
      const sym::Output& o = f.outputs[i];
      const bool by_function = f.name == meant;
      if (by_function || o.name == meant)
        found.push_back({by_function && f.outputs.size() > 1 ? o.name : name, f.name, i,
                         o.matrix.rows(), o.matrix.cols()});
    }
    if (!found.empty()) return found;
  }
  std::vector<std::string> known = {"delta_NK"};
  for (const sym::Function& f : functions) {
    known.push_back(f.name);
    for (const sym::Output& o : f.outputs)
      if (f.outputs.size() > 1) known.push_back(o.name);
  }
  base::fail("the model has no function '{}'{}\n    it has: {}", name,
             base::did_you_mean(name, known), fmt::join(known, ", "));
}

// The outputs of a comma-separated list; each output is listed once.
std::vector<Wanted> find_outputs(const std::vector<sym::Function>& functions,
                                 const std::string& list) {
  std::vector<Wanted> wanted;
  std::istringstream words(list);
  for (std::string name; std::getline(words, name, ',');) {
    for (const Wanted& w : outputs_named(functions, name)) {
      const bool known = std::any_of(wanted.begin(), wanted.end(),
                                     [&](const Wanted& other) { return other.name == w.name; });
      if (!known) wanted.push_back(w);
    }
  }
  return wanted;
}

// An array of the state with the length of the model; absent arrays are zero.
void set(exec::Evaluator& evaluator, const std::string& input, const base::JsonValue* value,
         const std::string& key, std::size_t size) {
  std::vector<double> numbers(size, 0.0);
  if (value != nullptr) {
    numbers = base::numbers(*value, fmt::format("'{}'", key));
    if (numbers.size() != size)
      base::fail_at(value->place, "'{}' has {} numbers, the vehicle has {}", key, numbers.size(),
                    size);
  }
  if (size > 0) evaluator.set(input, numbers);
}

void set_state(exec::Evaluator& evaluator, const model::VehicleModel& vehicle,
               const base::JsonValue& state) {
  const std::vector<std::string> known = {"q", "dq", "s", "ds", "inputs", "t"};
  if (state.kind != base::JsonValue::Kind::object)
    base::fail_at(state.place, "a state must be an object with q, dq, s, ds, inputs, t, found {}",
                  kind_name(state.kind));
  for (std::size_t i = 0; i < state.keys.size(); ++i) {
    const std::string& key = state.keys[i];
    if (!key.starts_with('_') && std::find(known.begin(), known.end(), key) == known.end())
      base::fail_at(state.items[i].place, "a state has no '{}'{}", key,
                    base::did_you_mean(key, known));
  }
  const mech::Model& m = vehicle.mechanics;
  set(evaluator, "q", state.find("q"), "q", m.coordinates().size());
  set(evaluator, "dq", state.find("dq"), "dq", m.coordinates().size());
  set(evaluator, "u", state.find("inputs"), "inputs", m.inputs().size());
  // contact coordinates do not enter the mechanics; wrong ones are refused all the same
  for (const char* key : {"s", "ds"}) {
    if (const base::JsonValue* v = state.find(key))
      if (const std::size_t n = base::numbers(*v, fmt::format("'{}'", key)).size();
          n != 4 * vehicle.wheels.size())
        base::fail_at(v->place, "'{}' has {} numbers, the vehicle has {} (four per wheel)", key, n,
                      4 * vehicle.wheels.size());
  }
}

// Column-major values as rows.
void print_json(const std::vector<Wanted>& wanted, exec::Evaluator& evaluator) {
  base::Json json;
  json.begin_object();
  for (const Wanted& w : wanted) {
    const std::span<const double> values = evaluator.evaluate(w.function)[w.output];
    json.key(w.name);
    if (w.cols == 1 && w.rows == 1) {
      json.value(values[0]);
      continue;
    }
    json.begin_array(w.cols == 1);
    for (std::size_t i = 0; i < w.rows; ++i) {
      if (w.cols > 1) json.begin_array(true);
      for (std::size_t k = 0; k < w.cols; ++k) json.value(values[k * w.rows + i]);
      if (w.cols > 1) json.end_array();
    }
    json.end_array();
  }
  json.end_object();
  fmt::print("{}", json.text());
}

void print_table(const std::vector<Wanted>& wanted, exec::Evaluator& evaluator) {
  for (const Wanted& w : wanted) {
    const std::span<const double> values = evaluator.evaluate(w.function)[w.output];
    fmt::print("{} ({} x {})\n", w.name, w.rows, w.cols);
    for (std::size_t i = 0; i < w.rows; ++i) {
      for (std::size_t k = 0; k < w.cols; ++k) fmt::print(" {:14.6g}", values[k * w.rows + i]);
      fmt::print("\n");
    }
  }
}

}  // namespace

Command eval_command() {
  struct Arguments {
    std::string vehicle, state, functions = "M_qq,delta_q";
    std::vector<std::string> set;
    bool json = false;
  };
  const auto a = std::make_shared<Arguments>();
  Command c{Group::models, "eval", "Evaluate functions of a vehicle's equations at a given state"};
  c.examples = {"klingel eval wheelset", "klingel eval manchester1 --functions M_qq --json"};
  c.option("vehicle", a->vehicle, "Shipped vehicle, vehicle file or its folder")
      .names(Names::vehicle)
      .required();
  c.option("--state", a->state,
           "JSON file with the arrays q, dq and inputs in the vehicle's order; a missing array is "
           "zero")
      .names(Names::file);
  c.option("--functions", a->functions, "Names of functions, separated by commas").value("NAMES");
  add_setting_option(c, a->set);
  c.option("--json", a->json, "Print JSON: a matrix is a list of rows, a vector a list");
  c.run = [a] {
    const vehicle::Vehicle file = vehicle::load_vehicle(a->vehicle, settings_of(a->set));
    const std::unique_ptr<model::VehicleModel> vehicle = model::build(file);
    const mech::Equations equations = mech::equations(vehicle->mechanics);
    const sym::Interface functions = mech::interface(vehicle->mechanics, equations);
    const std::vector<Wanted> wanted = find_outputs(functions.functions, a->functions);
    const gen::Program program(vehicle->mechanics.graph(), file.name, functions);
    exec::Options options;
    options.backend = exec::Backend::interpreter;
    exec::Evaluator evaluator(exec::load(program, options));
    base::JsonValue state;
    state.kind = base::JsonValue::Kind::object;
    if (!a->state.empty()) state = base::parse_json(base::read_file(a->state), a->state);
    set_state(evaluator, *vehicle, state);
    a->json ? print_json(wanted, evaluator) : print_table(wanted, evaluator);
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
