// Arguments that commands about vehicles share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/lookup.hpp"
#include "vehicle/scenario.hpp"
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
  std::string track;
  std::optional<double> speed, step, friction;
  std::vector<std::string> settings;
};

inline void add_options(CLI::App& app, ScenarioArguments& a) {
  app.add_option("--track", a.track, "Another track: a shipped name or a file");
  app.add_option("--speed", a.speed, "m/s at the start");
  app.add_option("--step", a.step, "s");
  app.add_option("--friction", a.friction, "Friction coefficient of all wheels");
  // one value each, or the next word, the vehicle perhaps, would be taken for another
  app.add_option("--set", a.settings, "Parameter of the vehicle: name=value; repeatable")
      ->allow_extra_args(false);
}

inline vehicle::Scenario scenario_of(const std::string& what, const ScenarioArguments& a) {
  vehicle::Scenario scenario = vehicle::load_scenario(what);
  if (!a.track.empty()) {
    base::find_file(base::tracks, a.track);  // or an Error
    scenario.track = base::located(base::tracks, a.track, {});
  }
  if (a.speed) scenario.speed = *a.speed;
  if (a.step) scenario.step = *a.step;
  if (a.friction) scenario.friction = *a.friction;
  for (const vehicle::Setting& s : settings_of(a.settings)) scenario.parameters.push_back(s);
  if (!(scenario.step > 0)) base::fail("--step must be positive, found {}", scenario.step);
  return scenario;
}

}  // namespace klingel::cli
