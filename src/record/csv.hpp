// A recording as CSV: a line of channel names, one line per row, in the order of the channels.
// Numbers are the shortest text that reads back as the same bits; what is not finite is nan, inf
// or -inf. Units are not in the file: the documents and the HDF5 file have them.
#pragma once

#include <filesystem>
#include <string>

#include "record/table.hpp"

namespace klingel::record {

std::string csv(const Recording& recording);

// Written whole or not at all.
void write_csv(const Table& table, std::span<const std::size_t> chosen,
               const std::filesystem::path& path);
void write_csv(const Recording& recording, const std::filesystem::path& path);

// Reads such a file back. Units and meanings are those of vehicle_channels.hpp where the name is
// known there. Anything else is an Error with line and column.
Recording read_csv(const std::filesystem::path& path);

}  // namespace klingel::record
