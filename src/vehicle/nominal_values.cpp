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
    for (const std::string& open : path_)
      if (open == name) refuse_circle(name, place);
    path_.push_back(name);
    const double v = evaluate(known->second->value,
                              [this](const Expression& e) { return value(e.name, e.place); });
    path_.pop_back();
    if (!std::isfinite(v))
      base::fail_at(known->second->place, "the parameter '{}' has no finite value", name);
    return values_[name] = v;
  }

 private:
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
};

}  // namespace

NominalValues::NominalValues(const std::vector<Parameter>& parameters) {
  Evaluation evaluation(parameters, values_);
  for (const Parameter& p : parameters) evaluation.value(p.name, p.place);
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
