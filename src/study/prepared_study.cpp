// A study with its files: names and values are checked before the first case runs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"
#include "creep/creep_law.hpp"
#include "start/static_loads.hpp"
#include "step/step_names.hpp"
#include "study/run_study.hpp"
#include "study/variation_names.hpp"

namespace klingel::study {
namespace {

vehicle::Scenario scenario_of(const Study& s, const ScenarioChanges& c) {
  return changed(vehicle::load_scenario(s.run), c);
}

// What reading the files derives from parameters: where a start begins, static loads.
bool same_but_for_kernels(const compile::CompiledVehicle& a, const compile::CompiledVehicle& b) {
  if (a.vehicle.coordinates.size() != b.vehicle.coordinates.size()) return false;
  for (std::size_t i = 0; i < a.vehicle.coordinates.size(); ++i)
    if (a.vehicle.coordinates[i].value != b.vehicle.coordinates[i].value) return false;
  if (a.vehicle.wheelsets.size() != b.vehicle.wheelsets.size()) return false;
  for (std::size_t i = 0; i < a.vehicle.wheelsets.size(); ++i)
    if (a.vehicle.wheelsets[i].radius != b.vehicle.wheelsets[i].radius) return false;
  const std::vector<double> p = start::static_loads(a.description->data),
                            q = start::static_loads(b.description->data);
  for (std::size_t i = 0; i < p.size(); ++i)
    if (std::abs(p[i] - q[i]) > 1e-6 * std::abs(p[i])) return false;
  return true;
}

bool is_parameter(const std::string& name) {
  return !is_of_start(name) && !is_of_scenario(name) && !is_of_curve(name) &&
         !name.starts_with(input_prefix);
}

void refuse_unknown(const Variation& v, const simulation::Instance& vehicle) {
  if (v.name.starts_with(input_prefix)) {
    try {
      vehicle.input(v.name.substr(input_prefix.size()));
    } catch (const base::Error& e) {
      throw base::Error(v.place, e.what());
    }
    return;
  }
  if (!is_parameter(v.name)) return;
  std::vector<std::string> names = vehicle.parameter_names();
  for (const std::string& more : variation_names()) names.push_back(more);
  for (const std::string& input : vehicle.input_names()) names.push_back("input." + input);
  if (std::find(names.begin(), names.end(), v.name) == names.end())
    base::fail_at(v.place, "the vehicle has no parameter '{}'{}", v.name,
                  base::did_you_mean(v.name, names));
}

// What measures cannot do without.
void check_chooser(const Study& s, Chooser chooser) {
  if (chooser == Chooser::optimiser || s.samples > 0) return;
  for (const Variation& v : s.variations)
    if (v.is_random())
      base::fail_at(v.place,
                    "'{}' is drawn at random: say how many times in [study], samples = 100; "
                    "'klingel optimise' needs none",
                    v.name);
}

}  // namespace

void PreparedStudy::read_measures() {
  channels_ = {"t"};
  for (const Measure& m : study_.measures) {
    formulas_.emplace_back();
    if (m.kind == Measure::Kind::formula || m.kind == Measure::Kind::curve)
      formulas_.back().emplace(m.text, m.place);
    if (m.kind == Measure::Kind::formula)
      for (const std::string& c : formulas_.back()->channels())
        if (std::find(channels_.begin(), channels_.end(), c) == channels_.end())
          channels_.push_back(c);
    if (m.kind != Measure::Kind::summary) continue;
    summary_ = true;
    for (const char* part : {"ride", "accelerations", "bogies", "nadal", "flange", "friction"})
      floor_ = floor_ || m.text.starts_with(std::string("assessment.") + part);
  }
}

void PreparedStudy::check_names(const compile::CompiledVehicle& base,
                                const simulation::Instance& names) const {
  for (const Variation& v : study_.variations) refuse_unknown(v, names);
  for (std::size_t k = 0; k < study_.measures.size(); ++k) {
    const Measure& m = study_.measures[k];
    if (!formulas_[k]) continue;
    const std::vector<std::string> quantities = m.kind == Measure::Kind::curve
                                                    ? curve_quantities(*base.description)
                                                    : std::vector<std::string>();
    for (const std::string& c : formulas_[k]->channels()) {
      if (m.kind == Measure::Kind::curve) {
        if (std::find(quantities.begin(), quantities.end(), c) == quantities.end())
          base::fail_at(m.place, "a steady curve has no quantity '{}'{}", c,
                        base::did_you_mean(c, quantities));
        continue;
      }
      try {
        names.channel(c);
      } catch (const base::Error& e) {
        throw base::Error(m.place, e.what());
      }
    }
  }
}

// As --set and the other options check them: every value of a list, the ends of what is drawn.
// Bounded numbers of a scenario were checked when the file was read.
void PreparedStudy::check_values(std::size_t i, const ScenarioChanges& first) const {
  const Variation& v = study_.variations[i];
  if (is_of_curve(v.name) || v.name.starts_with(input_prefix)) return;
  if (!scenario_key(v.name).empty() && v.kind != Variation::Kind::normal) return;
  std::vector<double> numbers = v.numbers;
  std::vector<std::string> texts = v.texts;
  if (v.is_random()) {
    double least = INFINITY, largest = -INFINITY;
    for (std::size_t c = 0; c < values_.cases(); ++c) {
      const double x = values_.number(c, i);
      least = std::fmin(least, x), largest = std::fmax(largest, x);
    }
    numbers = {least, largest};
  } else if (numbers.size() > 50) {
    const auto [least, largest] = std::minmax_element(numbers.begin(), numbers.end());
    numbers = {*least, *largest};
  }
  for (const double x : numbers) texts.push_back(base::shortest(x));
  for (std::size_t k = 0; k < texts.size(); ++k) {
    ScenarioChanges c = first;
    set_change(c, v.name, numbers.empty() ? 0 : numbers[k], texts[k]);
    try {
      const vehicle::Scenario scenario = scenario_of(study_, c);
      creep::creep_law(scenario.law);
      step::scheme_by_name(scenario.integrator);
      if (is_parameter(v.name))
        vehicle::load_vehicle(scenario.vehicle.string(), scenario.parameters);
    } catch (const base::Error& e) {
      throw base::Error(v.place, e.what());
    }
  }
}

void PreparedStudy::find_compiled(const compile::CompiledVehicle& base,
                                  const simulation::Instance& names, const ScenarioChanges& first,
                                  const exec::Options& kernels) {
  for (std::size_t i = 0; i < study_.variations.size(); ++i) {
    const Variation& v = study_.variations[i];
    nominal_[i] = v.name == "speed"      ? base.scenario.speed
                  : v.name == "position" ? base.scenario.position
                  : v.name == "friction" ? base.scenario.friction
                                         : std::numeric_limits<double>::quiet_NaN();
    if (is_of_curve(v.name) || v.name.starts_with(input_prefix)) continue;
    // friction along the track would win over that of a wheel
    if (is_of_start(v.name)) {
      compiled_[i] = v.name == "friction" && base.description->rail_friction ? 1 : 0;
      continue;
    }
    if (is_parameter(v.name)) nominal_[i] = names.parameter_value(names.parameter(v.name));
    compiled_[i] = is_of_scenario(v.name) || v.compile ? 1 : 0;
    if (compiled_[i] != 0) continue;
    // a value that is not the nominal one shows whether more than the kernels' numbers change
    ScenarioChanges other = first;
    double value = values_.number(0, i);
    for (std::size_t c = 0; c < values_.cases() && !(value != nominal_[i] && value == value); ++c)
      value = values_.number(c, i);
    set_change(other, v.name, value, base::shortest(value));
    compiled_[i] =
        same_but_for_kernels(base, compile::compile(scenario_of(study_, other), kernels)) ? 0 : 1;
  }
}

// A step of the first case: measures that are no numbers are found before the others run.
void PreparedStudy::try_measures(compile::CompiledVehicle base,
                                 const exec::Options& kernels) const {
  if (study_.needs_linear()) compile::linear_program(*base.model);  // or an Error
  if (!study_.needs_run()) return;
  CaseRunner probe(std::move(base), kernels, 1);
  RunOptions one_step;
  one_step.channels = channels_;
  one_step.floor = floor_;
  one_step.duration = probe.prepared().description->step;
  const Outcome outcome = probe.run(std::vector<Case>(1), one_step).front();
  if (outcome.summary.end != record::RunEnd::failed)
    measure(outcome, probe.prepared().description->step);  // or an Error
}

std::vector<double> PreparedStudy::measure(const Outcome& o, double step) const {
  std::optional<base::JsonValue> json;
  if (summary_) json = base::parse_json(record::summary_json(o.summary), "summary.json");
  const std::span<const double> t = o.recording.column("t");
  const double interval = t.size() > 1 ? t[1] - t[0] : step;
  const auto column = [&](const std::string& name) { return o.recording.column(name); };
  std::vector<double> values(study_.measures.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Measure& m = study_.measures[k];
    if (m.kind == Measure::Kind::summary) values[k] = summary_number(*json, m.text, m.place);
    if (m.kind == Measure::Kind::formula) values[k] = formulas_[k]->value(column, interval);
  }
  return values;
}

PreparedStudy::PreparedStudy(Study study, const exec::Options& kernels, Chooser chooser)
    : study_(std::move(study)),
      values_(study_),
      compiled_(study_.variations.size()),
      nominal_(study_.variations.size()) {
  check_chooser(study_, chooser);
  read_measures();
  // the first case stands for all: its files, its names, and a step of it for its measures
  ScenarioChanges first = study_.fixed;
  for (std::size_t i = 0; i < study_.variations.size(); ++i) {
    const std::string& name = study_.variations[i].name;
    if (is_of_scenario(name) && values_.varies(0, i))
      set_change(first, name, values_.number(0, i), values_.text(0, i));
  }
  compile::CompiledVehicle base = compile::compile(scenario_of(study_, first), kernels);
  const simulation::Instance names(base.description);
  check_names(base, names);
  for (std::size_t i = 0; i < study_.variations.size(); ++i) check_values(i, first);
  find_compiled(base, names, first, kernels);
  inputs_ = study_inputs(study_);
  digest_ = study_digest(study_, inputs_);
  try_measures(std::move(base), kernels);
  if (chooser == Chooser::optimiser) values_.become_table();
}

std::string PreparedStudy::key_of(std::size_t which) const {
  std::string key;
  for (std::size_t i = 0; i < compiled_.size(); ++i)
    if (compiled_[i] != 0) key += values_.text(which, i) + "\t";
  return key;
}

ScenarioChanges PreparedStudy::changes_of(std::size_t which) const {
  ScenarioChanges c = study_.fixed;
  for (std::size_t i = 0; i < compiled_.size(); ++i)
    if (compiled_[i] != 0 && values_.varies(which, i))
      set_change(c, study_.variations[i].name, values_.number(which, i), values_.text(which, i));
  return c;
}

}  // namespace klingel::study
