// What the name of a variation stands for:
//
//   speed position friction                  set before the start of a case
//   input.NAME                               an input that is held
//   track law integrator wheel_profile       texts of the scenario
//   rail_profile seed track.PATH             values of the track file (replaced_values.hpp)
//   step duration interval                   numbers of the scenario
//   curve.radius curve.cant_deficiency curve.speed   of steady curves
//   any other                                a parameter of the vehicle
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/scenario_changes.hpp"

namespace klingel::study {

inline constexpr std::string_view input_prefix = "input.";
inline constexpr std::string_view curve_prefix = "curve.";

// Set before the start of a case, without compiling.
bool is_of_start(const std::string& name);
bool is_of_curve(const std::string& name);
// What the vehicle is compiled with.
bool is_of_scenario(const std::string& name);
// Its values are texts; may be texts.
bool names_texts(const std::string& name);
bool may_be_text(const std::string& name);

// All names but inputs and parameters, for messages.
std::vector<std::string> variation_names();

// Puts a value into the changes of a scenario; curves and inputs have no place there.
void set_change(ScenarioChanges& changes, const std::string& name, double number,
                const std::string& text);

}  // namespace klingel::study
