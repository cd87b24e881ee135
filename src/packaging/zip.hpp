// An archive of files, by libzip. The same files give the same bytes: their order is that of the
// list, and their time is always the same.
#pragma once

#include <filesystem>
#include <vector>

#include "gen/emit_c.hpp"

namespace klingel::packaging {

// Written in one step; an Error with the path if that fails.
void write_zip(const std::filesystem::path& path, const std::vector<gen::File>& files);

}  // namespace klingel::packaging
