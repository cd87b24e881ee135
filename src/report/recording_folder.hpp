// The folder that a run left behind, as what its page is fed with.
#pragma once

#include <filesystem>
#include <string>

namespace klingel::report {

// Whether there are results in it.
bool holds_recording(const std::filesystem::path& folder);

// recording.json, or the same text made of the journal that a killed run left, of results.h5 or of
// results.csv (and summary.json, if it is there). A folder without them is an Error.
std::string recording_in(const std::filesystem::path& folder);

}  // namespace klingel::report
