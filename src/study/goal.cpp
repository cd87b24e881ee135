#include "study/goal.hpp"

#include <algorithm>

#include "base/nearest.hpp"

namespace klingel::study {
namespace {

using vehicle::Table;
using vehicle::Value;

// minimise = "wear" or ["wear", "mass"]
void read_objectives(Table& t, const char* key, bool maximise, std::span<const Measure> measures,
                     Goal& goal) {
  const Value* value = t.find(key);
  if (value == nullptr) return;
  const std::vector<std::string> names =
      value->kind == Value::Kind::text ? std::vector<std::string>{value->text} : t.texts(key);
  std::vector<std::string> known;
  for (const Measure& m : measures) known.push_back(m.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      t.fail(key, fmt::format("there is no measure '{}'{}; there are: {}", name,
                              base::did_you_mean(name, known), fmt::join(known, ", ")));
    for (const Objective& o : goal.objectives)
      if (o.measure == name) t.fail(key, fmt::format("'{}' is an objective twice", name));
    goal.objectives.push_back({name, maximise, t.place(key)});
  }
}

std::size_t count(Table& t, const char* key, std::size_t fallback, std::int64_t least) {
  const std::int64_t value = t.integer(key, static_cast<std::int64_t>(fallback));
  if (value < least || value > 10'000'000)
    t.fail(key, fmt::format("must be from {} to 10000000, found {}", least, value));
  return static_cast<std::size_t>(value);
}

double share(Table& t, const char* key, double fallback) {
  const double value = t.positive(key, fallback);
  if (!(value < 1)) t.fail(key, fmt::format("is a share of a range, below 1; found {:g}", value));
  return value;
}

}  // namespace

std::vector<std::string> method_names() { return {"bobyqa", "cobyla", "crs", "isres", "slsqp"}; }

Goal read_goal(Table& t, std::span<const Measure> measures) {
  Goal goal;
  read_objectives(t, "minimise", false, measures, goal);
  read_objectives(t, "maximise", true, measures, goal);
  if (goal.objectives.empty() || goal.objectives.size() > 2)
    t.fail("", fmt::format("expected one or two measures in minimise and maximise, found {}",
                           goal.objectives.size()));
  const std::vector<std::string> names = method_names();
  const std::string method = t.word("method", names, "cobyla");
  goal.method = static_cast<Method>(std::find(names.begin(), names.end(), method) - names.begin());
  goal.method_place = t.place("method");
  goal.evaluations = count(t, "evaluations", goal.evaluations, 2);
  goal.points = count(t, "points", goal.points, 3);
  goal.population = count(t, "population", 0, 0);
  goal.tolerance = share(t, "tolerance", goal.tolerance);
  goal.difference = share(t, "difference", goal.difference);
  const std::int64_t seed = t.integer("seed", 1);
  if (seed < 0) t.fail("seed", "must not be negative");
  goal.seed = static_cast<std::uint64_t>(seed);
  t.refuse_unknown();
  // these two know bounds only; a front needs a limit of its second measure
  const bool bounds_only = goal.method == Method::bobyqa || goal.method == Method::crs;
  const bool limits = std::any_of(measures.begin(), measures.end(),
                                  [](const Measure& m) { return m.least || m.most; });
  if (bounds_only && (limits || goal.objectives.size() == 2))
    t.fail("method", fmt::format("{} knows no constraints, and {} one; use cobyla, isres or slsqp",
                                 method, limits ? "a limit of a measure is" : "a front needs"));
  return goal;
}

}  // namespace klingel::study
