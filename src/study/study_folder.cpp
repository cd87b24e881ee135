#include "study/study_folder.hpp"

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"

namespace klingel::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* copy_name = "study.toml";
constexpr const char* inputs_name = "inputs.txt";

void check_text(const fs::path& folder, const Study& study) {
  const std::string before = base::read_file(folder / copy_name);
  if (before == study.text) return;
  std::istringstream was(before), is(study.text);
  std::string a, b;
  for (int line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(was, a)),
               other = static_cast<bool>(std::getline(is, b));
    if (!more) a = "the end of the file";
    if (!other) b = "the end of the file";
    if (a != b || (!more && !other))
      base::fail_at({study.file, line, 0},
                    "the study was changed after its results in '{}' were begun\n    it was: {}\n"
                    "    it is:  {}\n    use another folder with --out, or --force to begin again",
                    folder.string(), a, b);
  }
}

}  // namespace

void check_unchanged(const fs::path& folder, const Study& study) {
  if (fs::exists(folder / copy_name)) check_text(folder, study);
  if (!fs::exists(folder / inputs_name)) return;
  const std::string changed =
      changed_inputs(base::read_file(folder / inputs_name), study_inputs(study));
  if (!changed.empty())
    base::fail(
        "files were changed after the results in '{}' were begun:\n{}\n    use another folder with "
        "--out, or --force to begin again",
        folder.string(), changed);
}

void begin_folder(const fs::path& folder, const PreparedStudy& study) {
  base::write_file(folder / copy_name, study.study().text);
  base::write_file(folder / inputs_name, inputs_text(study.study(), study.inputs()));
}

void remove_results(const fs::path& folder) {
  std::error_code ignored;
  const fs::directory_iterator entries(folder, ignored);
  const bool is_ours = std::any_of(begin(entries), end(entries), [](const fs::directory_entry& e) {
    return e.path().extension() == ".journal";
  });
  if (!is_ours && fs::exists(folder / copy_name))
    base::fail("'{}' has a {} but no results of a study: it stays as it is", folder.string(),
               copy_name);
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".journal" || name == copy_name || name == inputs_name ||
        name == "cases.csv" || name == so_far_name || name == "cases.h5" || name == "page.html")
      fs::remove(entry.path());
  }
}

bool holds_study(const fs::path& folder) { return fs::is_regular_file(folder / copy_name); }

Study study_in(const fs::path& folder) {
  if (!holds_study(folder))
    base::fail("'{}' has no {}: it is not a folder of results of a study", folder.string(),
               copy_name);
  const std::string text = base::read_file(folder / copy_name);
  if (fs::exists(folder / inputs_name)) {
    std::istringstream lines(base::read_file(folder / inputs_name));
    std::string first;
    std::getline(lines, first);
    constexpr std::string_view head = "study  ";
    const fs::path was = first.starts_with(head) ? first.substr(head.size()) : "";
    if (fs::is_regular_file(was) && base::read_file(was) == text)
      return parse_study(text, was.string());
  }
  return load_study((folder / copy_name).string());
}

}  // namespace klingel::study
