#include "vehicle/parameter_units.hpp"

#include <algorithm>

namespace klingel::vehicle {
namespace {

using Kind = Expression::Kind;

class Units {
 public:
  explicit Units(const std::vector<Parameter>& parameters) : parameters_(parameters) {}

  // Of a formula with this unit. Numbers in it count as pure numbers if `scaled`.
  void tell(const Expression& e, const std::string& unit, bool scaled) {
    switch (e.kind) {
      case Kind::name:
        note(e.name, unit);
        break;
      case Kind::negate:
      case Kind::add:
      case Kind::subtract:
        for (const Expression& part : e.arguments) tell(part, unit, scaled);
        break;
      case Kind::multiply:
        if (scaled && e.arguments[0].is_number()) tell(e.arguments[1], unit, scaled);
        if (scaled && e.arguments[1].is_number()) tell(e.arguments[0], unit, scaled);
        break;
      case Kind::divide:
        if (scaled && e.arguments[1].is_number()) tell(e.arguments[0], unit, scaled);
        break;
      case Kind::call:
        if (e.name == "min" || e.name == "max" || e.name == "abs")
          for (const Expression& part : e.arguments) tell(part, unit, scaled);
        break;
      case Kind::number:
      case Kind::text:
      case Kind::power:
        break;
    }
  }

  // Parameters that are formulas of others. A number in them may have a unit of its own, as the
  // length in "N_box/0.25" has.
  void follow() {
    for (std::size_t pass = 0; pass < parameters_.size(); ++pass) {
      const std::size_t before = units_.size();
      for (const Parameter& p : parameters_) {
        if (const auto unit = units_.find(p.name); unit != units_.end())
          tell(p.value, unit->second, false);
        if (p.value.kind != Kind::name) continue;
        if (const auto unit = units_.find(p.value.name); unit != units_.end())
          note(p.name, unit->second);
      }
      if (units_.size() == before) break;
    }
  }

  std::map<std::string, std::string> known() const {
    std::map<std::string, std::string> list;
    for (const auto& [name, unit] : units_)
      if (unit != contradiction) list.emplace(name, unit);
    return list;
  }

 private:
  static constexpr const char* contradiction = "?";

  void note(const std::string& name, const std::string& unit) {
    const bool is_parameter = std::any_of(parameters_.begin(), parameters_.end(),
                                          [&](const Parameter& p) { return p.name == name; });
    if (!is_parameter) return;
    const auto [at, is_new] = units_.emplace(name, unit);
    if (!is_new && at->second != unit) at->second = contradiction;
  }

  const std::vector<Parameter>& parameters_;
  std::map<std::string, std::string> units_;
};

}  // namespace

std::map<std::string, std::string> parameter_units(const std::vector<FormulaOfKey>& formulas,
                                                   const std::vector<Parameter>& parameters) {
  Units units(parameters);
  for (const FormulaOfKey& f : formulas) {
    // "m or rad" is known in neither way
    if (f.unit.empty() || f.unit == "-" || f.unit.find(" or ") != std::string::npos) continue;
    std::string unit = f.unit;
    std::erase(unit, '^');
    units.tell(f.value, unit, true);
  }
  units.follow();
  return units.known();
}

}  // namespace klingel::vehicle
