// Arguments that commands about vehicles share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "base/lookup.hpp"
#include "cli/command.hpp"
#include "profile/named_profile.hpp"
#include "study/case_scenario.hpp"
#include "vehicle/scenario.hpp"
#include "vehicle/scenario_numbers.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::cli {

// "name=value" as given to --set.
inline std::vector<vehicle::Setting> settings_of(const std::vector<std::string>& texts) {
  std::vector<vehicle::Setting> settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      base::fail("--set takes name=value, found '{}'", text);
    settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return settings;
}

// What `run` and `view` change of a scenario.
struct ScenarioArguments {
  std::string track, wheel_profile, rail_profile;
  std::optional<double> speed, position, step, friction;
  std::vector<std::string> settings;
};

inline void add_setting_option(Command& c, std::vector<std::string>& settings) {
  c.option("--set", settings, "Value of a parameter of the vehicle")
      .value("NAME=VALUE")
      .repeatable();
}

inline Argument& add_backend_option(Command& c, std::string& backend) {
  return c.option("--backend", backend, "How kernels run")
      .suggest({"automatic", "interpreter", "jit", "cc"});
}

inline void add_scenario_options(Command& c, ScenarioArguments& a) {
  c.option("--track", a.track, "Another track: a shipped name or a file").names(Names::track);
  c.option("--speed", a.speed, "Speed at the start").unit("m/s");
  c.option("--position", a.position, "Where it starts along the track").unit("m");
  c.option("--step", a.step, "Time step").unit("s");
  c.option("--friction", a.friction, "Friction coefficient of all wheels");
  c.option("--wheel-profile", a.wheel_profile, "Profile of all wheels: a shipped name or a file")
      .names(Names::profile);
  c.option("--rail-profile", a.rail_profile, "Profile of the rails: a shipped name or a file")
      .names(Names::profile);
  add_setting_option(c, a.settings);
}

// An option in place of a number of the file: checked as that is, and named in errors.
inline void replace_number(vehicle::Scenario& scenario, const char* key, const char* option,
                           const std::optional<double>& value) {
  if (value) vehicle::set_number(scenario, key, *value, {option, 0, 0});
}

inline vehicle::Scenario scenario_of(const std::string& what, const ScenarioArguments& a) {
  vehicle::Scenario scenario =
      study::names_case(what) ? study::scenario_of_case(what) : vehicle::load_scenario(what);
  if (!a.track.empty()) {
    base::find_file(base::tracks, a.track);  // or an Error
    scenario.track = base::located(base::tracks, a.track, {});
  }
  for (const auto& [given, to, kind] :
       {std::tuple(&a.wheel_profile, &scenario.wheel_profile, profile::ProfileKind::wheel),
        {&a.rail_profile, &scenario.rail_profile, profile::ProfileKind::rail}}) {
    if (given->empty()) continue;
    profile::profile(*given, kind);  // or an Error
    *to = profile::located(*given, std::filesystem::current_path());
  }
  replace_number(scenario, "scenario.speed", "--speed", a.speed);
  replace_number(scenario, "scenario.position", "--position", a.position);
  replace_number(scenario, "scenario.step", "--step", a.step);
  replace_number(scenario, "creep.friction", "--friction", a.friction);
  if (a.friction) scenario.wheel_friction.clear();  // of all wheels
  if (a.friction) scenario.rail_friction.reset();
  for (const vehicle::Setting& s : settings_of(a.settings)) scenario.parameters.push_back(s);
  return scenario;
}

}  // namespace klingel::cli
