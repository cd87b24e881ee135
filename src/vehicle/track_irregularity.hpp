// The [[irregularity]] tables of track files.
#pragma once

#include <filesystem>

#include "vehicle/document.hpp"
#include "wheelrail/irregularity.hpp"

namespace klingel::vehicle {

// Reads one table; files named in it are relative to `folder`.
wheelrail::Irregularity read_irregularity(Table& table, const std::filesystem::path& folder);

}  // namespace klingel::vehicle
