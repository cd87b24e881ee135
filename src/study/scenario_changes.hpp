// What a caller replaces in a scenario without writing a file: the options of `klingel run` as
// plain values. For Python and studies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vehicle/scenario.hpp"

namespace klingel::study {

struct ScenarioChanges {
  std::filesystem::path folder;  // where names of files are looked for first; empty: the present
  std::string track, law, integrator, wheel_profile, rail_profile;  // empty: the scenario's
  std::optional<double> speed, position, step, duration, interval, friction;
  std::vector<vehicle::Setting> parameters;
  std::vector<vehicle::Setting> track_values;  // vehicle/replaced_values.hpp
  std::vector<std::string> channels;           // patterns; empty: the scenario's
};

// The changed scenario. Numbers outside their limits are Errors that name them as here: "speed".
vehicle::Scenario changed(vehicle::Scenario scenario, const ScenarioChanges& changes);

// The key of a scenario that a number of a study replaces, "scenario.speed" for "speed"; "" if it
// is none.
std::string_view scenario_key(std::string_view name);

}  // namespace klingel::study
