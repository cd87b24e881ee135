#include <algorithm>
#include <cmath>

#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {
namespace {

// Evaluates parameters on demand; `path` is what is being evaluated, to show circles.
class Evaluation {
 public:
  Evaluation(const std::vector<Parameter>& parameters, std::map<std::string, double>& values)
      : values_(values) {
    for (const Parameter& p : parameters) parameters_[p.name] = &p;
  }

  double value(const std::string& name, const base::Place& place) {
    if (const auto done = values_.find(name); done != values_.end()) return done->second;
    const auto known = parameters_.find(name);
    if (known == parameters_.end())
      base::fail_at(place, "'{}' has no value here: only parameters do", name);
    if (std::find(path_.begin(), path_.end(), name) != path_.end()) refuse_circle(name, place);
    if (path_.size() >= deepest) refuse_depth(*known->second);
    path_.push_back(name);
    int below = 0;
    const Expression& formula = known->second->value;
    const double v = evaluate(formula, [&](const Expression& e) {
      const double one = value(e.name, e.place);
      below = std::max(below, levels_[e.name]);
      return one;
    });
    path_.pop_back();
    levels_[name] = below + depth(formula);
    if (levels_[name] > static_cast<int>(deepest)) refuse_depth(*known->second);
    if (!std::isfinite(v))
      base::fail_at(known->second->place, "the parameter '{}' has no finite value", name);
    return values_[name] = v;
  }

 private:
  // Formulas of formulas are evaluated by functions that call themselves, here and in symbols.
  static constexpr std::size_t deepest = 1000;

  static int depth(const Expression& e) {
    int below = 0;
    for (const Expression& a : e.arguments) below = std::max(below, depth(a));
    return below + 1;
  }

  [[noreturn]] static void refuse_depth(const Parameter& p) {
    base::fail_at(p.place,
                  "the parameter '{}' is made of more than {} operations one upon the other; give "
                  "one of those it is made of as a number",
                  p.name, deepest);
  }

  [[noreturn]] void refuse_circle(const std::string& name, const base::Place& place) const {
    std::string circle;
    bool inside = false;
    for (const std::string& open : path_) {
      inside |= open == name;
      if (inside) circle += open + " -> ";
    }
    base::fail_at(place, "the parameter '{}' depends on itself: {}{}", name, circle, name);
  }

  std::map<std::string, const Parameter*> parameters_;
  std::map<std::string, double>& values_;
  std::vector<std::string> path_;
  std::map<std::string, int> levels_;  // of operations below and in a parameter
};

}  // namespace

NominalValues::NominalValues(const std::vector<Parameter>& parameters) {
  Evaluation evaluation(parameters, values_);
  for (const Parameter& p : parameters) evaluation.value(p.name, p.place);
}

bool NominalValues::knows(const Expression& e) const {
  if (e.kind == Expression::Kind::name) return e.name == "pi" || values_.contains(e.name);
  if (e.kind == Expression::Kind::call && (e.name == "rate" || e.name == "table")) return false;
  if (is_of_places(e)) return false;
  return std::all_of(e.arguments.begin(), e.arguments.end(),
                     [this](const Expression& a) { return knows(a); });
}

double NominalValues::operator()(const Expression& e) const {
  const double v = evaluate(e, [this](const Expression& name) {
    const auto known = values_.find(name.name);
    if (known == values_.end())
      base::fail_at(name.place, "'{}' has no value here: only parameters do", name.name);
    return known->second;
  });
  if (!std::isfinite(v)) base::fail_at(e.place, "'{}' has no finite value", text(e));
  return v;
}

}  // namespace klingel::vehicle
