// A file that a command is going to write.
#pragma once

#include <filesystem>
#include <string>

namespace klingel::cli {

// A file that cannot be written is an Error now, not after a run of hours. Missing folders are
// created only when it is written.
void check_written(const std::string& option, const std::filesystem::path& path);

}  // namespace klingel::cli
