#include "study/case_scenario.hpp"

#include <charconv>

#include "base/error.hpp"
#include "study/variation_names.hpp"

namespace klingel::study {

vehicle::Scenario case_scenario(const Study& s, const CaseValues& values, std::size_t which) {
  ScenarioChanges c = s.fixed;
  std::vector<vehicle::Signal> held;
  for (std::size_t i = 0; i < s.variations.size(); ++i) {
    const Variation& v = s.variations[i];
    if (!values.varies(which, i) || is_of_curve(v.name)) continue;
    if (v.name.starts_with(input_prefix))
      held.push_back(
          {v.name.substr(input_prefix.size()), v.place, {0.0}, {values.number(which, i)}});
    else
      set_change(c, v.name, values.number(which, i), values.text(which, i));
  }
  vehicle::Scenario scenario = changed(vehicle::load_scenario(s.run), c);
  for (vehicle::Signal& signal : held) {
    std::erase_if(scenario.inputs,
                  [&](const vehicle::Signal& other) { return other.input == signal.input; });
    scenario.inputs.push_back(std::move(signal));
  }
  scenario.name = fmt::format("{}_case_{}", s.name, which);
  return scenario;
}

bool names_case(const std::string& what) {
  const std::size_t mark = what.rfind('#');
  return mark != std::string::npos && mark > 0 && mark + 1 < what.size() &&
         what.find_first_not_of("0123456789", mark + 1) == std::string::npos;
}

vehicle::Scenario scenario_of_case(const std::string& what) {
  const std::size_t mark = what.rfind('#');
  const Study study = load_study(what.substr(0, mark));
  for (const Variation& v : study.variations)
    if (v.is_random() && study.samples == 0)
      base::fail_at(v.place, "an optimisation has no numbered cases; run its best.toml");
  const CaseValues values(study);
  std::size_t which = 0;
  const std::string digits = what.substr(mark + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), which);
  if (error != std::errc() || which >= values.cases())
    base::fail("'{}' has the cases 0 to {}, found {}", study.name, values.cases() - 1, digits);
  return case_scenario(study, values, which);
}

}  // namespace klingel::study
