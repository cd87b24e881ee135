// Cases of a study on one thread: compile, set values, run, measure.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "study/run_study.hpp"
#include "study/variation_names.hpp"

namespace klingel::study {

std::vector<CaseResult> StudyWorker::run(const CaseGroup& group) {
  std::vector<CaseResult> results;
  std::vector<Case> cases;
  try {
    prepare(group);
    for (const std::size_t which : group.cases) cases.push_back(case_of(which));
  } catch (const base::Error& e) {
    for (const std::size_t which : group.cases) results.push_back(failed(which, e.what()));
    return results;
  }
  std::vector<Outcome> outcomes;
  if (p_.study_.needs_run()) {
    RunOptions run;
    run.channels = p_.channels_;
    run.floor = p_.floor_;
    run.stop = options_.stop;
    outcomes = runner_->run(cases, run);
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Outcome* outcome = outcomes.empty() ? nullptr : &outcomes[i];
    // not known yet
    if (outcome != nullptr && outcome->summary.end == record::RunEnd::stopped) continue;
    if (outcome == nullptr && stopped()) break;
    results.push_back(measured(group.cases[i], outcome, group.wanted));
  }
  return results;
}

void StudyWorker::prepare(const CaseGroup& group) {
  if (runner_ && key_ == group.key) return;
  linear_.reset();
  runner_.reset();
  runner_ = std::make_unique<CaseRunner>(
      compile::compile(
          changed(vehicle::load_scenario(p_.study_.run), p_.changes_of(group.cases[0])),
          options_.kernels),
      options_.kernels, options_.lanes);
  if (p_.study_.needs_linear())
    linear_ = std::make_unique<LinearVehicle>(runner_->prepared(), options_.kernels);
  key_ = group.key;
}

Case StudyWorker::case_of(std::size_t which) const {
  Case c;
  const simulation::Instance& v = *runner_->prepared().instance;
  for (std::size_t i = 0; i < p_.study_.variations.size(); ++i) {
    const std::string& name = p_.study_.variations[i].name;
    if (p_.compiled_[i] != 0 || is_of_curve(name) || !p_.values_.varies(which, i)) continue;
    const double value = p_.values_.number(which, i);
    if (name == "speed")
      c.speed = value;
    else if (name == "position")
      c.position = value;
    else if (name == "friction")
      c.friction = value;
    else if (name.starts_with(input_prefix))
      c.inputs.emplace_back(v.input(name.substr(input_prefix.size())), value);
    else
      c.parameters.emplace_back(v.parameter(name), value);
  }
  return c;
}

AnalysedValues StudyWorker::analysed_of(std::size_t which) const {
  const Case c = case_of(which);
  AnalysedValues values;
  values.parameters = c.parameters;
  values.friction = c.friction;
  values.speed = c.speed.value_or(runner_->prepared().scenario.speed);
  const SteadyCurve& curve = p_.study_.curve;
  values.curve.radius = curve.radius.value_or(0);
  values.curve.speed = curve.speed.value_or(values.speed);
  values.curve.cant_deficiency = curve.cant_deficiency;
  for (std::size_t i = 0; i < p_.study_.variations.size(); ++i) {
    const std::string& name = p_.study_.variations[i].name;
    if (!is_of_curve(name) || !p_.values_.varies(which, i)) continue;
    const double value = p_.values_.number(which, i);
    (name == "curve.radius"  ? values.curve.radius
     : name == "curve.speed" ? values.curve.speed
                             : values.curve.cant_deficiency) = value;
  }
  return values;
}

std::optional<std::vector<double>> StudyWorker::derivatives(
    std::size_t which, std::size_t measure, const std::vector<std::size_t>& variations) {
  const Measure& m = p_.study_.measures[measure];
  if (m.kind != Measure::Kind::modes) return {};
  prepare({p_.key_of(which), {which}});
  std::vector<std::size_t> parameters;
  for (const std::size_t i : variations)
    parameters.push_back(runner_->prepared().instance->parameter(p_.study_.variations[i].name));
  const AnalysedValues values = analysed_of(which);
  return CaseAnalysis(runner_->prepared(), linear_.get(), values).derivatives(m, parameters);
}

CaseResult StudyWorker::failed(std::size_t which, const std::string& why) const {
  return {which, "failed",
          std::vector<double>(p_.study_.measures.size(), std::numeric_limits<double>::quiet_NaN()),
          why};
}

CaseResult StudyWorker::measured(std::size_t which, const Outcome* o,
                                 const std::vector<char>& wanted) const {
  const std::vector<Measure>& measures = p_.study_.measures;
  CaseResult r = failed(which, "");
  r.end = "completed";
  if (o != nullptr) {
    if (o->summary.end == record::RunEnd::failed) return failed(which, o->summary.message);
    r.end = record::name(o->summary.end);
    r.message = o->summary.message;
    try {
      r.measures = p_.measure(*o, runner_->prepared().description->step);
    } catch (const base::Error& e) {
      return failed(which, e.what());
    }
  }
  const AnalysedValues values = analysed_of(which);
  CaseAnalysis analysis(runner_->prepared(), linear_.get(), values);
  for (std::size_t k = 0; k < measures.size(); ++k) {
    if (measures[k].needs_run() || (!wanted.empty() && wanted[k] == 0)) continue;
    try {
      r.measures[k] = analysis.value(measures[k], p_.formulas_[k] ? &*p_.formulas_[k] : nullptr);
    } catch (const base::Error& e) {
      r.end = "failed";
      r.message = fmt::format("{}: {}", measures[k].name, e.what());
    }
  }
  if (r.message.empty()) r.message = analysis.note();
  for (std::size_t i = 0; i < r.measures.size(); ++i)
    if (!std::isfinite(r.measures[i]) && r.message.empty() && wanted.empty())
      r.message = fmt::format("the measure '{}' is not finite", measures[i].name);
  return r;
}

}  // namespace klingel::study
