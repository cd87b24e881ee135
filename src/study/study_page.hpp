// A study as one HTML file to look at: table, scatter, heat map, parallel coordinates, histogram
// (web/study). It needs nothing but a browser. The same for the evaluations of an optimisation.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "study/run_study.hpp"

namespace klingel::study {

struct PageColumn {
  std::string name, about;
  enum class Role { vary, measure, other, word } role = Role::other;
  std::vector<double> numbers;     // one of the two
  std::vector<std::string> texts;  // an empty one: no value
  std::optional<double> least, most;
};

struct PageData {
  std::string name, about;
  std::size_t failed = 0;
  std::vector<PageColumn> columns;
  std::vector<std::string> messages;
  std::string command;  // that runs a case again, {} for its number; empty: there is none
  std::vector<std::string> analyses;  // commands of cases that are no runs, instead
  std::string x, y;                   // columns that are drawn first
  bool served = false;                // by `klingel view`, which runs cases on request
};

std::string page_of(const PageData& data);

// `file` is what the command calls the study. Of more than 20,000 cases it shows some, evenly
// spread.
std::string study_page(const PreparedStudy& study, std::span<const CaseResult> results,
                       const std::string& file);
// The same as klingel view serves it: with a button that runs a case.
std::string served_page(std::string page);

}  // namespace klingel::study
