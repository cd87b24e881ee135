// Every key of track files: the one list the reader checks itself against and that
// docs/track_format.md shows.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vehicle/document.hpp"

namespace klingel::vehicle {

struct TrackKey {
  std::string_view name;
  std::string_view unit;      // "-" where there is none
  std::string_view fallback;  // "required", or what holds while the key is absent
  std::string_view meaning;
};

struct TrackTable {
  std::string_view name;  // "track file", "section arc", ...
  std::string_view about;
  std::span<const TrackKey> keys;
};

std::span<const TrackTable> track_tables();

// To be called when a table was read: refuses keys that were not read. The reader must have
// read all keys of the list and no others, whatever the file contains; that is asserted.
void finish(const Table& table, std::string_view name);

// All tables as Markdown, as in docs/track_format.md.
std::string track_reference();

}  // namespace klingel::vehicle
