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

// Errors of one quantity over the runs that came to their end.
struct Range {
  double least = 0, median = 0, largest = 0;
};
struct RunsOf {
  std::string name, unit;
  Range rms, dynamic;                // of the runs' figures
  double sigma = 0, inside = 0;      // means
  std::vector<Range> waves;          // error of each band, in parts of the truth of that band
  std::vector<WaveBand> wave_bands;  // of the first run, for their lengths
};
struct RunsSummary {
  std::size_t runs = 0;  // that came to their end
  std::vector<RunsOf> quantities;
  Range nis, nees;  // means of runs
  double nis_expected = 0, nees_expected = 0;
};
RunsSummary summary_of(const std::vector<RunResult>& runs);

// Alarms over many runs.
struct AlarmCount {
  std::size_t runs = 0, false_alarms = 0, detected = 0;
  double median = 0, slowest = 0;  // s after the event, of those detected
};
AlarmCount count_alarms(const Alarm& alarm, const std::vector<RunResult>& runs);

}  // namespace klingel::estimate
