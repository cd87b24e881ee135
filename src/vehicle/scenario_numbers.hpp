// Numbers of a scenario that both files and options of commands can give. What each may be is said
// here once; set_number() is the only way in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vehicle/scenario.hpp"

namespace klingel::vehicle {

struct ScenarioNumber {
  std::string_view key;  // table and key: "scenario.speed"
  double Scenario::*member;
  std::string_view unit;
  double least, most;
  bool above = false;  // greater than `least`, not only equal to it
};

std::span<const ScenarioNumber> scenario_numbers();

// Sets one of them and remembers its place. A number that is not finite or not within its limits is
// an Error at that place, which for an option is its name: {"--speed", 0, 0}.
void set_number(Scenario& scenario, std::string_view key, double value, const base::Place& place);

// The coefficient of friction of one wheel, within the limits of "creep.friction".
void set_friction(Scenario& scenario, const std::string& wheel, double value,
                  const base::Place& place);

// An Error unless the run has at least one step.
void check_times(const Scenario& scenario);

}  // namespace klingel::vehicle
