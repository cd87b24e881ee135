// A case of a study as a scenario: what `klingel run study.toml#17` and the other commands take.
#pragma once

#include <string>

#include "study/case_values.hpp"
#include "study/study_file.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::study {

// With all its values; the vehicle runs as the study ran it, bit for bit.
vehicle::Scenario case_scenario(const Study& study, const CaseValues& values, std::size_t which);

// "study.toml#17"
bool names_case(const std::string& what);
// A case that is not there is an Error.
vehicle::Scenario scenario_of_case(const std::string& what);

}  // namespace klingel::study
