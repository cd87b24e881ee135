// The [[irregularity]] tables of track files.
#pragma once

#include <filesystem>

#include "track/irregularity.hpp"
#include "vehicle/document.hpp"

namespace klingel::vehicle {

// Reads one table; files named in it are relative to `folder`.
track::Irregularity read_irregularity(Table& table, const std::filesystem::path& folder);

}  // namespace klingel::vehicle
