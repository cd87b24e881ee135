#include "study/scenario_changes.hpp"

#include "base/lookup.hpp"
#include "profile/named_profile.hpp"
#include "vehicle/scenario_numbers.hpp"

namespace klingel::study {
namespace {

void replace(vehicle::Scenario& scenario, const char* key, const char* name,
             const std::optional<double>& value) {
  if (value) vehicle::set_number(scenario, key, *value, {name, 0, 0});
}

void replace(vehicle::Scenario& scenario, std::string vehicle::Scenario::*member, const char* key,
             const char* name, const std::string& value) {
  if (value.empty()) return;
  scenario.*member = value;
  scenario.places[key] = {name, 0, 0};
}

void replace_profile(std::string& of, const std::string& by, profile::ProfileKind kind,
                     const std::filesystem::path& folder) {
  if (by.empty()) return;
  of = profile::located(by, folder);
  profile::profile(of, kind);  // or an Error
}

}  // namespace

std::string_view scenario_key(std::string_view name) {
  for (const vehicle::ScenarioNumber& n : vehicle::scenario_numbers())
    if (n.key.substr(n.key.find('.') + 1) == name) return n.key;
  return "";
}

vehicle::Scenario changed(vehicle::Scenario scenario, const ScenarioChanges& c) {
  if (!c.track.empty()) {
    base::find_file(base::tracks, c.track, c.folder);  // or an Error
    scenario.track = base::located(base::tracks, c.track, c.folder);
  }
  replace(scenario, "scenario.speed", "speed", c.speed);
  replace(scenario, "scenario.position", "position", c.position);
  replace(scenario, "scenario.step", "step", c.step);
  replace(scenario, "scenario.duration", "duration", c.duration);
  replace(scenario, "output.interval", "interval", c.interval);
  replace(scenario, "creep.friction", "friction", c.friction);
  if (c.friction) scenario.wheel_friction.clear(), scenario.rail_friction.reset();
  replace(scenario, &vehicle::Scenario::integrator, "scenario.integrator", "integrator",
          c.integrator);
  // numbers of a law belong to the law they were written for
  if (!c.law.empty() && c.law != scenario.law) scenario.law_values.clear();
  replace(scenario, &vehicle::Scenario::law, "creep.law", "law", c.law);
  scenario.parameters.insert(scenario.parameters.end(), c.parameters.begin(), c.parameters.end());
  if (!c.channels.empty()) scenario.channels = c.channels;
  replace_profile(scenario.wheel_profile, c.wheel_profile, profile::ProfileKind::wheel, c.folder);
  replace_profile(scenario.rail_profile, c.rail_profile, profile::ProfileKind::rail, c.folder);
  for (vehicle::Setting value : c.track_values) {
    if (value.name == "rail_profile") value.value = profile::located(value.value, c.folder);
    scenario.track_values.push_back(std::move(value));
  }
  return scenario;
}

}  // namespace klingel::study
