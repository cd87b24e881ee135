#include "optimise/evaluator.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/error.hpp"
#include "study/threads.hpp"
#include "study/variation_names.hpp"

namespace klingel::optimise {
namespace {

using study::Variation;

constexpr const char* journal_name = "evaluations.journal";
constexpr std::size_t most_evaluations = 1'000'000'000;

double value_of(const Variation& v, double share) {
  const double low = v.least(), high = v.largest();
  if (share <= 0) return low;
  if (share >= 1) return high;
  if (v.kind == Variation::Kind::logarithmic) return low * std::exp(share * std::log(high / low));
  return low + share * (high - low);
}

double share_of(const Variation& v, double value) {
  const double low = v.least(), high = v.largest();
  const double share = v.kind == Variation::Kind::logarithmic
                           ? std::log(value / low) / std::log(high / low)
                           : (value - low) / (high - low);
  return std::clamp(share, 0.0, 1.0);
}

void check(const Variation& v) {
  if (v.kind == Variation::Kind::texts)
    base::fail_at(v.place, "'{}' is one of several names; an optimiser chooses numbers", v.name);
  if (v.kind == Variation::Kind::normal)
    base::fail_at(v.place, "'{}' has no bounds; give uniform = [low, high] or log = [low, high]",
                  v.name);
  if (!v.with.empty() || !v.when.empty())
    base::fail_at(v.place, "'{}' depends on others; an optimiser chooses each value by itself",
                  v.name);
  if (!(v.largest() > v.least()))
    base::fail_at(v.place, "'{}' has one value only; an optimiser needs a range", v.name);
  if (v.start && (*v.start < v.least() || *v.start > v.largest()))
    base::fail_at(v.place, "'{}' starts at {:g}, beyond its range from {:g} to {:g}", v.name,
                  *v.start, v.least(), v.largest());
}

}  // namespace

Evaluator::Evaluator(study::PreparedStudy& s, const study::StudyOptions& options)
    : study_(s), options_(options) {
  for (const Variation& v : s.study().variations) check(v);
  for (std::size_t i = 0; i < std::max<std::size_t>(1, options.threads); ++i)
    workers_.push_back(std::make_unique<study::StudyWorker>(s, options));
  if (!options.folder.empty()) open_journal();
}

// Lines are those of a study's journal, with values in front of measures.
void Evaluator::open_journal() {
  study::JournalHead head = study_.head();
  head.cases = most_evaluations;
  head.measures += dimensions();
  journal_ = std::make_unique<study::CaseJournal>(options_.folder / journal_name, head);
  for (const study::CaseResult& r : journal_->found()) kept_[r.number] = r;
}

std::optional<study::CaseResult> Evaluator::kept(std::size_t which,
                                                 const std::vector<double>& values) const {
  const auto found = kept_.find(which);
  if (found == kept_.end()) return {};
  study::CaseResult result = found->second;
  const auto measures = result.measures.begin() + static_cast<std::ptrdiff_t>(values.size());
  if (!std::equal(values.begin(), values.end(), result.measures.begin()))
    base::fail(
        "'{}' has other values for evaluation {}: it was begun by another version of this program; "
        "use another folder, or --force to begin again",
        (options_.folder / journal_name).string(), which);
  result.measures.erase(result.measures.begin(), measures);
  return result;
}

Point Evaluator::start() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const Variation& v = study_.study().variations[i];
    const double nominal = study_.nominal(i);
    const bool inside = nominal >= v.least() && nominal <= v.largest();
    values.push_back(v.start ? *v.start : inside ? nominal : value_of(v, 0.5));
  }
  return point(values);
}

std::vector<double> Evaluator::values(const Point& x) const {
  std::vector<double> list;
  for (std::size_t i = 0; i < dimensions(); ++i)
    list.push_back(value_of(study_.study().variations[i], x[i]));
  return list;
}

Point Evaluator::point(const std::vector<double>& values) const {
  Point x;
  for (std::size_t i = 0; i < dimensions(); ++i)
    x.push_back(share_of(study_.study().variations[i], values[i]));
  return x;
}

double Evaluator::slope(std::size_t i, double share) const {
  const Variation& v = study_.study().variations[i];
  return v.kind == Variation::Kind::logarithmic
             ? value_of(v, share) * std::log(v.largest() / v.least())
             : v.largest() - v.least();
}

const Evaluation* Evaluator::find(const Point& x) const {
  const auto found = known_.find(x);
  return found == known_.end() ? nullptr : found->second;
}

const Evaluation& Evaluator::at(const Point& x) {
  if (find(x) == nullptr) together({x});
  return *find(x);
}

void Evaluator::together(const std::vector<Point>& points) {
  std::vector<Point> added;
  for (const Point& x : points)
    if (find(x) == nullptr && std::find(added.begin(), added.end(), x) == added.end())
      added.push_back(x);
  if (added.empty()) return;
  for (Evaluation* e : evaluate(added, {})) known_[e->x] = e;
}

std::vector<Evaluation*> Evaluator::evaluate(const std::vector<Point>& points,
                                             const std::vector<char>& wanted) {
  std::vector<std::size_t> cases, left;
  std::vector<study::CaseResult> results;
  for (const Point& x : points) {
    cases.push_back(study_.values().add(values(x)));
    if (auto result = kept(cases.back(), values(x)))
      results.push_back(std::move(*result));
    else
      left.push_back(cases.back());
  }
  // as even as possible: two threads with five points run three and two
  const std::size_t share = (left.size() + workers_.size() - 1) / workers_.size();
  std::vector<study::CaseGroup> groups =
      study_.groups(left, std::min(options_.lanes, std::max<std::size_t>(1, share)));
  for (study::CaseGroup& group : groups) group.wanted = wanted;
  run(groups, results);
  std::vector<Evaluation*> list;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto found = std::find_if(results.begin(), results.end(),
                                    [&](const auto& r) { return r.number == cases[i]; });
    if (found == results.end()) base::fail("the optimisation was stopped");
    history_.push_back(
        std::make_unique<Evaluation>(Evaluation{points[i], std::move(*found), !wanted.empty()}));
    list.push_back(history_.back().get());
  }
  return list;
}

void Evaluator::keep(std::vector<study::CaseResult> results) {
  if (!journal_) return;
  for (study::CaseResult& r : results) {
    std::vector<double> values;
    for (std::size_t i = 0; i < dimensions(); ++i)
      values.push_back(study_.values().number(r.number, i));
    r.measures.insert(r.measures.begin(), values.begin(), values.end());
  }
  journal_->add(results);
}

void Evaluator::run(const std::vector<study::CaseGroup>& groups,
                    std::vector<study::CaseResult>& results) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const auto work = [&](std::size_t t) {
    for (std::size_t i = next++; i < groups.size(); i = next++) {
      std::vector<study::CaseResult> some = workers_[t]->run(groups[i]);
      const std::lock_guard<std::mutex> lock(mutex);
      keep(some);
      std::move(some.begin(), some.end(), std::back_inserter(results));
    }
  };
  study::on_threads(std::clamp<std::size_t>(groups.size(), 1, workers_.size()), work,
                    options_.stop);
}

bool Evaluator::is_set_parameter(std::size_t i) const {
  const std::string& name = study_.study().variations[i].name;
  return !study_.is_compiled(i) && !study::is_of_start(name) && !study::is_of_scenario(name) &&
         !study::is_of_curve(name) && !name.starts_with(study::input_prefix);
}

std::vector<std::vector<double>> Evaluator::gradients(const Point& x,
                                                      const std::vector<std::size_t>& measures,
                                                      double difference) {
  at(x);
  std::vector<std::size_t> set;
  for (std::size_t i = 0; i < dimensions(); ++i)
    if (is_set_parameter(i)) set.push_back(i);
  std::vector<std::vector<double>> result(measures.size(), std::vector<double>(dimensions()));
  std::vector<std::vector<char>> wanted(measures.size(), std::vector<char>(dimensions(), 1));
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const auto exact = workers_[0]->derivatives(find(x)->result.number, measures[k], set);
    if (!exact) continue;
    ++exact_;
    for (std::size_t j = 0; j < set.size(); ++j) {
      result[k][set[j]] = (*exact)[j] * slope(set[j], x[set[j]]);
      wanted[k][set[j]] = 0;
    }
  }
  add_differences(x, measures, wanted, difference, result);
  return result;
}

void Evaluator::add_differences(const Point& x, const std::vector<std::size_t>& measures,
                                const std::vector<std::vector<char>>& wanted, double difference,
                                std::vector<std::vector<double>>& gradients) {
  std::vector<Point> steps;
  std::vector<std::size_t> variations;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    if (std::none_of(wanted.begin(), wanted.end(), [i](const auto& w) { return w[i] != 0; }))
      continue;
    Point up = x, down = x;
    up[i] = std::min(1.0, x[i] + difference);
    down[i] = std::max(0.0, x[i] - difference);
    steps.push_back(std::move(up));
    steps.push_back(std::move(down));
    variations.push_back(i);
  }
  if (steps.empty()) return;
  // measures whose derivatives are known are not needed
  std::vector<char> needed(study_.study().measures.size());
  for (std::size_t k = 0; k < measures.size(); ++k)
    for (const char by_difference : wanted[k])
      if (by_difference != 0) needed[measures[k]] = 1;
  const std::vector<Evaluation*> found = evaluate(steps, needed);
  for (std::size_t j = 0; j < variations.size(); ++j) {
    const std::size_t i = variations[j];
    const Evaluation &up = *found[2 * j], &down = *found[2 * j + 1];
    for (std::size_t k = 0; k < measures.size(); ++k)
      if (wanted[k][i] != 0)
        gradients[k][i] = (up.result.measures[measures[k]] - down.result.measures[measures[k]]) /
                          (up.x[i] - down.x[i]);
  }
}

}  // namespace klingel::optimise
