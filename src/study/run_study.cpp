#include "study/run_study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"
#include "base/sha256.hpp"
#include "creep/creep_law.hpp"
#include "start/static_loads.hpp"
#include "step/step_names.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::study {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view input_prefix = "input.";

// What a case sets before its start; all others are compiled.
bool is_of_start(const std::string& name) {
  return name == "speed" || name == "position" || name == "friction";
}
bool is_of_scenario(const std::string& name) {
  return name == "track" || name == "law" || name == "integrator" || name == "step" ||
         name == "duration" || name == "interval";
}

void set(ScenarioChanges& c, const std::string& name, double number, const std::string& text) {
  if (name == "track")
    c.track = text;
  else if (name == "law")
    c.law = text;
  else if (name == "integrator")
    c.integrator = text;
  else if (name == "step")
    c.step = number;
  else if (name == "duration")
    c.duration = number;
  else if (name == "interval")
    c.interval = number;
  else if (name == "speed")
    c.speed = number;
  else if (name == "position")
    c.position = number;
  else if (name == "friction")
    c.friction = number;
  else
    c.parameters.push_back({name, text});
}

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

void check_names(const vehicle::Scenario& s, const vehicle::Vehicle& v) {
  vehicle::check_scenario(s, v);
  creep::creep_law(s.law);
  step::scheme_by_name(s.integrator);
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
  if (is_of_start(v.name) || is_of_scenario(v.name)) return;
  std::vector<std::string> names = vehicle.parameter_names();
  for (const char* more : {"speed", "position", "friction", "track", "law", "integrator", "step",
                           "duration", "interval"})
    names.emplace_back(more);
  for (const std::string& input : vehicle.input_names()) names.push_back("input." + input);
  if (std::find(names.begin(), names.end(), v.name) == names.end())
    base::fail_at(v.place, "the vehicle has no parameter '{}'{}", v.name,
                  base::did_you_mean(v.name, names));
}

}  // namespace

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
  RunOptions run;
  run.channels = p_.channels_;
  run.floor = p_.floor_;
  run.stop = options_.stop;
  const std::vector<Outcome> outcomes = runner_->run(cases, run);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].summary.end == record::RunEnd::stopped) continue;  // not known yet
    results.push_back(measured(group.cases[i], outcomes[i]));
  }
  return results;
}

void StudyWorker::prepare(const CaseGroup& group) {
  if (runner_ && key_ == group.key) return;
  runner_.reset();
  runner_ = std::make_unique<CaseRunner>(
      compile::compile(scenario_of(p_.study_, p_.changes_of(group.cases[0])), options_.kernels),
      options_.kernels, options_.lanes);
  key_ = group.key;
}

Case StudyWorker::case_of(std::size_t which) const {
  Case c;
  const simulation::Instance& v = *runner_->prepared().instance;
  for (std::size_t i = 0; i < p_.study_.variations.size(); ++i) {
    if (p_.compiled_[i] != 0) continue;
    const std::string& name = p_.study_.variations[i].name;
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

CaseResult StudyWorker::failed(std::size_t which, const std::string& why) const {
  return {which, "failed",
          std::vector<double>(p_.study_.measures.size(), std::numeric_limits<double>::quiet_NaN()),
          why};
}

CaseResult StudyWorker::measured(std::size_t which, const Outcome& o) const {
  if (o.summary.end == record::RunEnd::failed) return failed(which, o.summary.message);
  CaseResult r{which, std::string(record::name(o.summary.end)), {}, o.summary.message};
  try {
    r.measures = p_.measure(o, runner_->prepared().description->step);
  } catch (const base::Error& e) {
    return failed(which, e.what());
  }
  for (std::size_t i = 0; i < r.measures.size(); ++i)
    if (!std::isfinite(r.measures[i]) && r.message.empty())
      r.message = fmt::format("the measure '{}' is not finite", p_.study_.measures[i].name);
  return r;
}

std::vector<double> PreparedStudy::measure(const Outcome& o, double step) const {
  std::optional<base::JsonValue> json;
  if (summary_) json = base::parse_json(record::summary_json(o.summary), "summary.json");
  const std::span<const double> t = o.recording.column("t");
  const double interval = t.size() > 1 ? t[1] - t[0] : step;
  const auto column = [&](const std::string& name) { return o.recording.column(name); };
  std::vector<double> values;
  std::size_t formula = 0;
  for (const Measure& m : study_.measures)
    values.push_back(m.formula.empty() ? summary_number(*json, m.summary, m.place)
                                       : formulas_[formula++].value(column, interval));
  return values;
}

PreparedStudy::PreparedStudy(Study study, const exec::Options& kernels)
    : study_(std::move(study)), values_(study_), compiled_(study_.variations.size()) {
  for (const Measure& m : study_.measures) {
    if (!m.formula.empty()) formulas_.emplace_back(m.formula, m.place);
    summary_ = summary_ || !m.summary.empty();
    for (const char* part : {"ride", "accelerations", "bogies", "nadal", "flange", "friction"})
      floor_ = floor_ || m.summary.starts_with(std::string("assessment.") + part);
  }
  channels_ = {"t"};
  for (const Formula& f : formulas_)
    for (const std::string& c : f.channels())
      if (std::find(channels_.begin(), channels_.end(), c) == channels_.end())
        channels_.push_back(c);

  // the first case stands for all: its files, its names, and a step of it for its measures
  ScenarioChanges first = study_.fixed;
  for (std::size_t i = 0; i < study_.variations.size(); ++i) {
    const std::string& name = study_.variations[i].name;
    if (is_of_scenario(name)) set(first, name, values_.number(0, i), values_.text(0, i));
  }
  const vehicle::Scenario scenario = scenario_of(study_, first);
  compile::CompiledVehicle base = compile::compile(scenario, kernels);
  const simulation::Instance names(base.description);
  for (const Variation& v : study_.variations) refuse_unknown(v, names);
  for (std::size_t k = 0, f = 0; k < study_.measures.size(); ++k) {
    if (study_.measures[k].formula.empty()) continue;
    for (const std::string& c : formulas_[f++].channels()) {
      try {
        names.channel(c);
      } catch (const base::Error& e) {
        throw base::Error(study_.measures[k].place, e.what());
      }
    }
  }
  // names that are wrong are found before the first case
  for (const Variation& v : study_.variations) {
    for (const std::string& text : v.texts) {
      ScenarioChanges other = first;
      set(other, v.name, 0, text);
      try {
        check_names(scenario_of(study_, other), base.vehicle);
      } catch (const base::Error& e) {
        throw base::Error(v.place, e.what());
      }
    }
  }
  for (std::size_t i = 0; i < study_.variations.size(); ++i) {
    const Variation& v = study_.variations[i];
    // a number in place of what a scenario says by place
    if (v.name == "friction" && base.description->rail_friction) compiled_[i] = 1;
    if (is_of_start(v.name) || v.name.starts_with(input_prefix)) continue;
    compiled_[i] = is_of_scenario(v.name) || v.compile ? 1 : 0;
    if (compiled_[i] != 0) continue;
    // a value that is not the nominal one shows whether more than the kernels' numbers change
    ScenarioChanges other = first;
    const double nominal = names.parameter_value(names.parameter(v.name));
    double value = values_.number(0, i);
    for (std::size_t c = 0; c < values_.cases() && value == nominal; ++c)
      value = values_.number(c, i);
    set(other, v.name, value, base::shortest(value));
    compiled_[i] =
        same_but_for_kernels(base, compile::compile(scenario_of(study_, other), kernels)) ? 0 : 1;
  }

  std::string files = study_.text;
  for (const std::string& file : {scenario.file, scenario.vehicle.string(),
                                  vehicle::find_track(scenario.track, scenario.folder()).string()})
    if (!file.empty()) files += base::read_file(file);
  digest_ = base::sha256(files);

  CaseRunner probe(std::move(base), kernels, 1);
  RunOptions one_step;
  one_step.channels = channels_;
  one_step.floor = floor_;
  one_step.duration = probe.prepared().description->step;
  const Outcome outcome = probe.run(std::vector<Case>(1), one_step).front();
  if (outcome.summary.end != record::RunEnd::failed)
    measure(outcome, probe.prepared().description->step);  // or an Error
}

JournalHead PreparedStudy::head() const {
  return {values_.cases(), study_.measures.size(), digest_};
}

std::filesystem::path PreparedStudy::journal_path(const std::filesystem::path& folder,
                                                  const Shard& shard) {
  if (shard.parts == 1) return folder / "cases.journal";
  return folder / fmt::format("cases_{}_of_{}.journal", shard.part + 1, shard.parts);
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
    if (compiled_[i] != 0)
      set(c, study_.variations[i].name, values_.number(which, i), values_.text(which, i));
  return c;
}

std::vector<CaseGroup> PreparedStudy::groups(const std::vector<std::size_t>& cases,
                                             std::size_t lanes) const {
  std::vector<CaseGroup> list;
  std::map<std::string, std::size_t> open;  // the last group of a key
  for (const std::size_t which : cases) {
    const std::string key = key_of(which);
    const auto found = open.find(key);
    if (found != open.end() && list[found->second].cases.size() < lanes) {
      list[found->second].cases.push_back(which);
      continue;
    }
    open[key] = list.size();
    list.push_back({key, {which}});
  }
  // those that share a compiled vehicle one after the other
  std::stable_sort(list.begin(), list.end(),
                   [](const CaseGroup& a, const CaseGroup& b) { return a.key < b.key; });
  return list;
}

std::vector<CaseGroup> PreparedStudy::left(const CaseJournal& journal, const StudyOptions& options,
                                           StudyCount& count) const {
  std::unordered_set<std::size_t> known;
  for (const CaseResult& r : journal.found()) {
    if (!options.shard.has(r.number)) continue;
    known.insert(r.number);
    count.failed += r.failed() ? 1 : 0;
  }
  count.found = known.size();
  std::vector<std::size_t> cases;
  for (std::size_t i = options.shard.part; i < values_.cases(); i += options.shard.parts)
    if (!known.contains(i)) cases.push_back(i);
  count.cases = known.size() + cases.size();
  return groups(cases, options.lanes);
}

StudyCount PreparedStudy::run(const StudyOptions& options) const {
  const Clock::time_point begin = Clock::now();
  CaseJournal journal(journal_path(options.folder, options.shard), head());
  StudyCount count;
  const std::vector<CaseGroup> work = left(journal, options, count);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr problem;
  const auto worker = [&] {
    try {
      StudyWorker mine(*this, options);
      for (;;) {
        const std::size_t i = next++;
        if (i >= work.size() || (options.stop && options.stop())) return;
        const std::vector<CaseResult> results = mine.run(work[i]);
        const std::lock_guard<std::mutex> lock(mutex);
        for (const CaseResult& r : results) {
          journal.add(r);
          ++count.run;
          count.failed += r.failed() ? 1 : 0;
        }
        if (options.progress) options.progress(count.found + count.run, count.cases);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!problem) problem = std::current_exception();
      next = work.size();
    }
  };
  std::vector<std::thread> threads;
  const std::size_t wanted = std::clamp<std::size_t>(work.size(), 1, options.threads);
  for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(worker);
  worker();
  for (std::thread& t : threads) t.join();
  if (problem) std::rethrow_exception(problem);
  journal.flush();
  count.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return count;
}

std::vector<CaseResult> PreparedStudy::collect(const std::filesystem::path& folder) const {
  std::map<std::size_t, CaseResult> results;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".journal") continue;
    for (CaseResult& r : read_journal(entry.path(), head()))
      results.emplace(r.number, std::move(r));
  }
  if (results.size() != values_.cases()) {
    std::size_t first = 0;
    while (results.contains(first)) ++first;
    base::fail(
        "{} of {} cases are missing in '{}', the first is number {}; run the study again, or "
        "the shards that are missing",
        values_.cases() - results.size(), values_.cases(), folder.string(), first);
  }
  std::vector<CaseResult> list;
  for (auto& [number, r] : results) list.push_back(std::move(r));
  return list;
}

}  // namespace klingel::study
