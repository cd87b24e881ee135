#include "base/lookup.hpp"

#include <fmt/format.h>

#include "base/data.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"

namespace klingel::base {
namespace {

namespace fs = std::filesystem;

// The file that a path means, if it is of this kind.
fs::path file_at(const DataKind& kind, fs::path path) {
  std::error_code ignored;
  if (!kind.in_folder.empty() && fs::is_directory(path, ignored)) path /= kind.in_folder;
  return fs::is_regular_file(path, ignored) ? path : fs::path();
}

}  // namespace

fs::path find_beside(const DataKind& kind, std::string_view name, const fs::path& folder) {
  return name.empty() ? fs::path() : file_at(kind, folder / name);
}

fs::path find_shipped(const DataKind& kind, std::string_view name) {
  const fs::path path = find_data(kind.folder, name);
  return path.empty() ? path : file_at(kind, path);
}

fs::path look_up(const DataKind& kind, std::string_view name, const fs::path& folder) {
  const fs::path beside = find_beside(kind, name, folder);
  return beside.empty() ? find_shipped(kind, name) : beside;
}

std::string not_found(const DataKind& kind, std::string_view name, const fs::path& folder,
                      std::vector<std::string> further) {
  const std::vector<std::string> shipped = list_data(kind.folder);
  further.insert(further.end(), shipped.begin(), shipped.end());
  std::error_code ignored;
  const std::string list =
      shipped.empty() ? "none; the program was moved away from its data: set KLINGEL_DATA to the "
                        "folder that holds vehicles, tracks, profiles and scenarios"
                      : fmt::format("{}", fmt::join(shipped, ", "));
  return fmt::format("there is no {} '{}'{}\n    looked for: the file '{}'\n    and shipped {}: {}",
                     kind.noun, name, did_you_mean(name, further),
                     fs::absolute(folder / name, ignored).lexically_normal().string(), kind.folder,
                     list);
}

fs::path find_file(const DataKind& kind, std::string_view name, const fs::path& folder) {
  const fs::path path = look_up(kind, name, folder);
  if (path.empty()) fail("{}", not_found(kind, name, folder));
  return path;
}

std::string located(const DataKind& kind, std::string_view name, const fs::path& folder) {
  const fs::path beside = find_beside(kind, name, folder);
  return beside.empty() ? std::string(name) : fs::absolute(beside).lexically_normal().string();
}

}  // namespace klingel::base
