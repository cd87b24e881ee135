// Files of a study, made from the results of its cases: CSV, HDF5, and a summary as JSON.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "study/run_study.hpp"

namespace klingel::study {

// A line per case: number, varied values, how it ended, measures, message.
std::string results_csv(const PreparedStudy& study, std::span<const CaseResult> results);

// Numbers as channels of room record: case, whether it failed, varied values (of texts their place
// in the list, which the channel's text explains) and measures.
void write_results_hdf5(const PreparedStudy& study, std::span<const CaseResult> results,
                        const std::filesystem::path& path);

// How many cases are beyond the limits of a measure; NaN counts.
std::size_t violations(const Measure& measure, std::size_t index,
                       std::span<const CaseResult> results);

// Lines for the screen: why the first case failed, and how many are beyond each limit.
std::string results_text(const Study& study, std::span<const CaseResult> results);

// What the process that gives out cases had to do with it; nothing without such a process.
struct Messages {
  std::size_t count = 0;  // results that came, each answered by the next cases
  std::size_t bytes = 0;  // of both
  double seconds = 0;     // of processor time, from the arrival of results to the journal
};

// Others read the keys: cases, failed, seconds, cases_per_s; run_now are those of this call, found
// those that were there; and, of a whole study, smallest, mean and largest value of each measure
// with its violations.
std::string study_json(const PreparedStudy& study, const StudyCount& count,
                       const StudyOptions& options, std::span<const CaseResult> results,
                       const Messages& messages = {});

}  // namespace klingel::study
