// What an experiment leaves behind: tables, JSON and a page to look at.
#pragma once

#include <string>
#include <vector>

#include "estimate/experiment.hpp"

namespace klingel::estimate {

// One HTML file without scripts or network: what was estimated and how well, consistency, charts
// with bands of two standard deviations. Charts are of the first run.
std::string estimate_page(const Estimate& file, const std::vector<RunResult>& runs);

std::string estimate_json(const Estimate& file, const std::vector<RunResult>& runs);

// A line per run: alarms, consistency, errors.
std::string runs_csv(const std::vector<RunResult>& runs);

// Alarms over many runs.
struct AlarmCount {
  std::size_t runs = 0, false_alarms = 0, detected = 0;
  double median = 0, slowest = 0;  // s after the event, of those detected
};
AlarmCount count_alarms(const Alarm& alarm, const std::vector<RunResult>& runs);

}  // namespace klingel::estimate
