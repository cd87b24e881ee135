// Whole files in and out. A written file is either complete or not there: others may read it
// while we write, and a full disk leaves nothing half-done. Does not survive a power cut (no
// fsync): everything we write can be made again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace klingel::base {

// The most that a file we read may hold: far more than any vehicle, track or measured profile.
inline constexpr std::size_t largest_file = std::size_t{1} << 28;  // 256 MB

// The bytes of a regular file. Throws Error with the path and the system's reason. Devices and
// pipes are refused, because they need not end, and so is a file larger than `most` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t most = largest_file);

// Replaces or creates the file in one step, creating missing folders. The text goes to a
// temporary file in the same folder, which is then renamed; on failure it is removed, an existing
// file stays as it was, and Error is thrown with the path and the system's reason.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace klingel::base
