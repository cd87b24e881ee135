// The folder of a study's results: a copy of the study, which files it was made of, journals,
// tables and the page. Results of another study, or of one that was changed, are not mixed with new
// ones.
#pragma once

#include <filesystem>

#include "study/run_study.hpp"

namespace klingel::study {

// The table of a study that is not finished.
inline constexpr const char* so_far_name = "cases_so_far.csv";

// An Error with the line of the study that differs, or the files that do.
void check_unchanged(const std::filesystem::path& folder, const Study& study);

// Writes the copy and the list of files.
void begin_folder(const std::filesystem::path& folder, const PreparedStudy& study);

// What a study has written into it.
void remove_results(const std::filesystem::path& folder);

bool holds_study(const std::filesystem::path& folder);
// The study whose results are there: from where it was, if that file is still the same, else the
// copy. An Error if there is none.
Study study_in(const std::filesystem::path& folder);

}  // namespace klingel::study
