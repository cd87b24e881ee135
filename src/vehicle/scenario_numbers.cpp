#include "vehicle/scenario_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/assert.hpp"

namespace klingel::vehicle {
namespace {

// Limits far outside of what trains do: they find slips of units and digits, no more.
constexpr ScenarioNumber numbers[] = {{"scenario.speed", &Scenario::speed, "m/s", -300, 300},
                                      {"scenario.position", &Scenario::position, "m", -1e7, 1e7},
                                      {"scenario.duration", &Scenario::duration, "s", 0, 1e7, true},
                                      {"scenario.step", &Scenario::step, "s", 0, 1, true},
                                      {"creep.friction", &Scenario::friction, "", 0, 2, true},
                                      {"output.interval", &Scenario::interval, "s", 0, 1e5, true}};

const ScenarioNumber& number(std::string_view key) {
  const auto* known = std::find_if(std::begin(numbers), std::end(numbers),
                                   [&](const ScenarioNumber& n) { return n.key == key; });
  KLINGEL_ASSERT(known != std::end(numbers));
  return *known;
}

std::string_view name_of(const ScenarioNumber& n) { return n.key.substr(n.key.find('.') + 1); }

void check(const ScenarioNumber& n, std::string_view name, double value, const base::Place& place) {
  const std::string unit = n.unit.empty() ? "" : fmt::format(" {}", n.unit);
  if (!std::isfinite(value)) base::fail_at(place, "'{}' must be finite, found {}", name, value);
  if (n.above && !(value > n.least))
    base::fail_at(place, "'{}' must be greater than {}, found {}", name,
                  n.least == 0 ? "zero" : fmt::format("{:g}{}", n.least, unit), value);
  if (!(value >= n.least && value <= n.most))
    base::fail_at(place, "'{}' must be {} {:g}{}, found {}", name,
                  n.above ? "at most" : fmt::format("from {:g} to", n.least), n.most, unit, value);
}

}  // namespace

std::span<const ScenarioNumber> scenario_numbers() { return numbers; }

void set_number(Scenario& scenario, std::string_view key, double value, const base::Place& place) {
  const ScenarioNumber& n = number(key);
  check(n, name_of(n), value, place);
  scenario.*n.member = value;
  scenario.places[std::string(key)] = place;
}

void set_friction(Scenario& scenario, const std::string& wheel, double value,
                  const base::Place& place) {
  check(number("creep.friction"), wheel, value, place);
  scenario.wheel_friction[wheel] = value;
  scenario.places["friction." + wheel] = place;
}

void check_times(const Scenario& s) {
  // a millionth: decimal times are not exact as doubles
  if (s.duration >= s.step * (1 - 1e-6)) return;
  const bool by_step =
      s.places.contains("scenario.step") && !s.places.contains("scenario.duration");
  base::fail_at(s.place(by_step ? "scenario.step" : "scenario.duration"),
                "a duration of {} s is shorter than one time step of {} s: nothing would run",
                s.duration, s.step);
}

}  // namespace klingel::vehicle
