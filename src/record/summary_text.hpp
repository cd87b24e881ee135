// A run's summary as a table for readers: run time per step, forces by wheel, iterations, events by
// kind. Forces in kN, times of steps in microseconds.
#pragma once

#include <string>

#include "record/summary.hpp"

namespace klingel::record {

std::string summary_text(const RunSummary& summary);

}  // namespace klingel::record
