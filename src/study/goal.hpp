// The table [optimise] of a study file.
#pragma once

#include <span>

#include "study/study_file.hpp"

namespace klingel::study {

// Objectives must be measures.
Goal read_goal(vehicle::Table& table, std::span<const Measure> measures);

}  // namespace klingel::study
