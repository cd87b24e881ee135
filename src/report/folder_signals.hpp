// What is judged of a folder that a run left behind: results.h5 or results.csv where they have the
// channels, else recording.json.
#pragma once

#include <filesystem>

#include "assess/run_signals.hpp"
#include "record/recording.hpp"

namespace klingel::report {

// A folder without a recording, without the channels that are needed, with rows too far apart for a
// filter of 20 Hz, or of a run that stood still is an Error that says what to do.
assess::RunSignals signals_in(const std::filesystem::path& folder);

// All channels of a folder, with as many rows as there are: results.h5, results.csv, else
// recording.json, which may be thinned.
record::Recording channels_in(const std::filesystem::path& folder,
                              const std::vector<std::string>& needed = {});

}  // namespace klingel::report
