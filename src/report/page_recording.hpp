// What the page is fed with, as one JSON text (recording.json):
//
//   format, version     "klingel page", 1
//   summary             summary.json without its events
//   events              by kind and wheel: how often, first, last, some of the times
//   rows, channels      name, unit, about, data (record/packed.hpp)
//   scene, motion       record/scene.hpp; null if they are not known: then there is no animation
//
// The same for a page that holds its recording and for a live one that gets rows later.
#pragma once

#include <filesystem>
#include <string>

#include "record/recording.hpp"
#include "record/scene.hpp"

namespace klingel::report {

inline constexpr int page_version = 1;  // of the layout above

// How many rows of so many channels a page gets: enough for plots, and memory stays below a tenth
// of a gigabyte for a run of any length.
std::size_t most_page_rows(std::size_t channels);

// `summary` is the text of summary.json, or empty. Scene and motion may be null. More than
// `most_rows` rows are thinned evenly, the last stays.
std::string page_recording(const record::Recording& recording, const std::string& summary,
                           const record::Scene* scene = nullptr,
                           const record::SceneMotion* motion = nullptr,
                           std::size_t most_rows = 40000);

// A file recording.json, checked: a file that is not there, too large, not JSON, of another program
// or of a newer version is an Error that says which.
std::string read_page_recording(const std::filesystem::path& path);

// The channels in such a text.
record::Recording channels_of_page(const std::string& text, const std::string& file);

}  // namespace klingel::report
