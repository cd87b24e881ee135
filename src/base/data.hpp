// Where shipped data live: profiles, vehicles, tracks. Looked for below the folder named by the
// environment variable KLINGEL_DATA, then in <prefix>/share/klingel of the installed package or
// program, then in the source folder this was built from; the first place that has the file wins.
// Only finds files; their readers are elsewhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace klingel::base {

// The places in the order of the search, existing ones only.
std::vector<std::filesystem::path> data_places();

// The path of `name` in `folder` ("profiles", "vehicles", "tracks"), or an empty path. The name is
// that of a file or folder, also of a file below a folder ("loco/vehicle.toml"); a file may be
// named without its extension. Names that lead out of the folder are not found.
std::filesystem::path find_data(std::string_view folder, std::string_view name);

// What find_data could find in `folder`: names without extension, sorted, each once. For error
// messages, see did_you_mean.
std::vector<std::string> list_data(std::string_view folder);

}  // namespace klingel::base
