// A recording as CSV: a line of units that begins with "# units: ", a line of channel names, one
// line per row, in the order of the channels. Numbers are the shortest text that reads back as the
// same bits; what is not finite is nan, inf or -inf.
#pragma once

#include <filesystem>
#include <string>

#include "record/table.hpp"

namespace klingel::record {

inline constexpr std::string_view units_mark = "# units: ";

std::string csv(const Recording& recording);

// Written whole or not at all.
void write_csv(const Table& table, std::span<const std::size_t> chosen,
               const std::filesystem::path& path);
void write_csv(const Recording& recording, const std::filesystem::path& path);

// Reads such a file back. Lines before the names that begin with '#' are comments, but for that of
// the units, which may be missing. Other units, and meanings, are those of vehicle_channels.hpp
// where the name is known there. Anything else is an Error with line and column.
Recording read_csv(const std::filesystem::path& path);

}  // namespace klingel::record
