#include "cli/written_file.hpp"

#include "base/error.hpp"
#include "base/file_writer.hpp"

namespace klingel::cli {

void check_written(const std::string& option, const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (fs::is_directory(path)) base::fail("{}: '{}' is a folder", option, path.string());
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(folder)) {
    const base::FileWriter probe(path);  // or an Error; removed again
    return;
  }
  fs::path there = folder;
  while (!there.empty() && !fs::exists(there)) there = there.parent_path();
  if (!there.empty() && !fs::is_directory(there))
    base::fail("{}: cannot write '{}': '{}' is not a folder", option, path.string(),
               there.string());
}

}  // namespace klingel::cli
