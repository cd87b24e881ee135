// Track files (TOML): the format is in docs/track_format.md. Every error has file,
// line and column; unknown keys are refused. What a track is, is in track/track.hpp.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "track/track.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {

// The description in a file. Paths in it are relative to it.
track::TrackDescription read_track(const std::filesystem::path& path);
// The same with values replaced (replaced_values.hpp).
track::TrackDescription read_track(const std::filesystem::path& path,
                                   std::span<const Setting> settings);

// The same from text; `file` is what messages call it, and where relative paths begin.
track::TrackDescription parse_track(std::string_view text, const std::string& file);

// The file of a track, as base/lookup.hpp finds it; `folder` is that of the file that names it.
std::filesystem::path find_track(std::string_view name, const std::filesystem::path& folder = {});

// find_track, read_track and build_track.
track::Track load_track(std::string_view name, const std::filesystem::path& folder = {});

}  // namespace klingel::vehicle
