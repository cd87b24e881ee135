// A compiled vehicle together with the kernels of its small motions: what `modes` and `curving`
// start from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/vehicle_arguments.hpp"
#include "compile/prepare_run.hpp"

namespace klingel::cli {

struct LinearArguments {
  std::string what, law, tread, wheel_profile, rail_profile;
  std::vector<std::string> settings;
  std::optional<double> friction;
};

struct LinearVehicle {
  compile::CompiledVehicle vehicle;
  exec::Kernel linear;
};

inline void add_linear_options(Command& c, LinearArguments& a) {
  c.option("what", a.what, "Vehicle or scenario: a file, a vehicle's folder or a shipped name")
      .names(Names::scenario)
      .required();
  c.option("--law", a.law, "Another creep law").choices({"linear", "she", "polach", "fastsim"});
  c.option("--tread", a.tread, "Another model of the treads").choices({"loaded", "rigid"});
  c.option("--wheel-profile", a.wheel_profile, "Profile of all wheels: a shipped name or a file")
      .names(Names::profile);
  c.option("--rail-profile", a.rail_profile, "Profile of the rails: a shipped name or a file")
      .names(Names::profile);
  add_setting_option(c, a.settings);
}

inline LinearVehicle linear_vehicle(const LinearArguments& a) {
  ScenarioArguments options;
  options.friction = a.friction;
  options.settings = a.settings;
  options.wheel_profile = a.wheel_profile, options.rail_profile = a.rail_profile;
  vehicle::Scenario scenario = scenario_of(a.what, options);
  if (!a.law.empty() && a.law != scenario.law) scenario.law = a.law, scenario.law_values.clear();
  if (!a.tread.empty()) scenario.tread = a.tread;
  compile::CompiledVehicle vehicle = compile::compile(std::move(scenario));
  // evaluated some hundred times: compiling would take longer
  exec::Options interpreted;
  interpreted.backend = exec::Backend::interpreter;
  exec::Kernel linear = exec::load(compile::linear_program(*vehicle.model), interpreted);
  return {std::move(vehicle), std::move(linear)};
}

}  // namespace klingel::cli
