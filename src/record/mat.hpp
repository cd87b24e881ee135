// A recording as MAT file of level 5, for Matlab and Octave: load results.mat. Each channel is a
// column of doubles. Names of variables are those of channels with '_' for every character that
// Matlab does not allow, at most 63 characters; klingel_names and klingel_units hold names and
// units as they are, one text per line, in the order of the variables listed in klingel_variables.
//
// The format is written here: matrices of doubles and of characters in little endian, without
// compression.
#pragma once

#include <filesystem>

#include "record/table.hpp"

namespace klingel::record {

// Written whole or not at all. Channels of 4 GB and more are an Error.
void write_mat(const Table& table, std::span<const std::size_t> chosen,
               const std::filesystem::path& path);

// Names of Matlab's variables for channels: legal and different from each other.
std::vector<std::string> matlab_names(std::span<const std::string> channels);

}  // namespace klingel::record
