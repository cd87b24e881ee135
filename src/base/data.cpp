// The search for shipped data; see data.hpp.
#include "base/data.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/places.hpp"

// Defined by programs that were built with the installed package, see klingel/compile.hpp.
extern "C" [[gnu::weak]] const char* klingel_installed_data();

namespace klingel::base {
namespace {

namespace fs = std::filesystem;

// A read-me describes the folder, and hidden files are not data.
bool is_data(const fs::path& name) {
  return !name.empty() && name.native().front() != '.' && name.stem() != "README";
}

// Entries of a folder in the order of their names, so that the same file wins on every machine.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    if (is_data(entry->path().filename())) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool leads_outside(const fs::path& name) {
  return name.is_absolute() || std::find(name.begin(), name.end(), "..") != name.end();
}

}  // namespace

std::vector<fs::path> data_places() {
  std::vector<fs::path> places;
  const auto add = [&places](const fs::path& place) {
    std::error_code ignored;
    if (!place.empty() && fs::is_directory(place, ignored)) places.push_back(place);
  };
  if (const char* place = std::getenv("KLINGEL_DATA")) add(place);
  if (klingel_installed_data != nullptr) add(klingel_installed_data());
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) add((program.parent_path() / share_from_program).lexically_normal());
  add(source_folder);
  return places;
}

fs::path find_data(std::string_view folder, std::string_view name) {
  const fs::path wanted(name);
  if (wanted.empty() || leads_outside(wanted)) return {};
  std::error_code ignored;
  for (const fs::path& place : data_places()) {
    const fs::path exact = place / folder / wanted;
    if (is_data(exact.filename()) && fs::exists(exact, ignored)) return exact;
    // the name without the extension
    for (const fs::path& entry : entries(exact.parent_path())) {
      if (entry.stem() == wanted.filename() && fs::is_regular_file(entry, ignored)) return entry;
    }
  }
  return {};
}

std::vector<std::string> list_data(std::string_view folder) {
  std::vector<std::string> names;
  for (const fs::path& place : data_places()) {
    for (const fs::path& entry : entries(place / folder)) names.push_back(entry.stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace klingel::base
