// The files that a study is made of beside its own: scenario, vehicle with what it extends, tracks,
// profiles. Results belong to their contents, wherever they stand.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "study/study_file.hpp"

namespace klingel::study {

struct InputFile {
  std::filesystem::path path;
  std::string digest;  // SHA-256 of its contents
};

// Each once, in the order in which they are named. What is not found is left to its reader.
std::vector<InputFile> study_inputs(const Study& study);

// Of the text of the study and the contents of its files, not of their places.
std::string study_digest(const Study& study, const std::vector<InputFile>& inputs);

// "digest  path" in lines, behind the place of the study itself; kept beside results so that one
// can say what changed.
std::string inputs_text(const Study& study, const std::vector<InputFile>& inputs);
// What differs from such a text, one file per line; empty if nothing does.
std::string changed_inputs(const std::string& before, const std::vector<InputFile>& now);

}  // namespace klingel::study
