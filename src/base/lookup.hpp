// The one lookup of files that have a name in other files or on the command line: profiles, tracks,
// vehicles, scenarios. First a file beside the file that names it (on the command line: at that
// path), then shipped data of that name (data.hpp). Nothing else is ever looked at; in particular
// names in files do not depend on the working directory.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::base {

// A kind of file.
struct DataKind {
  std::string_view folder;     // of shipped ones
  std::string_view noun;       // for messages
  std::string_view in_folder;  // a folder means this file in it; empty: folders do not count
};
inline constexpr DataKind profiles{"profiles", "profile", ""};
inline constexpr DataKind tracks{"tracks", "track", ""};
inline constexpr DataKind vehicles{"vehicles", "vehicle", "vehicle.toml"};
inline constexpr DataKind scenarios{"scenarios", "scenario", ""};

// `folder` is that of the file that has the name; empty on the command line. These return an empty
// path where there is no such file.
std::filesystem::path find_beside(const DataKind& kind, std::string_view name,
                                  const std::filesystem::path& folder);
std::filesystem::path find_shipped(const DataKind& kind, std::string_view name);
std::filesystem::path look_up(const DataKind& kind, std::string_view name,
                              const std::filesystem::path& folder);

// "there is no track 'artcle'; did you mean 'article'?" and where it was looked for; further names
// that are known are taken into account.
std::string not_found(const DataKind& kind, std::string_view name,
                      const std::filesystem::path& folder, std::vector<std::string> further = {});

// look_up(), and an Error if there is none.
std::filesystem::path find_file(const DataKind& kind, std::string_view name,
                                const std::filesystem::path& folder = {});

// The name in a form that means the same anywhere: an absolute path if it is a file in the
// given folder, else the name itself.
std::string located(const DataKind& kind, std::string_view name,
                    const std::filesystem::path& folder);

}  // namespace klingel::base
