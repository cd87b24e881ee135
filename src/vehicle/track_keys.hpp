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

// To be called when a table was read: refuses keys that nobody asked for. The reader must have
// asked for the keys of the list and for no others, whatever the file contains; that is asserted.
void finish(const Table& table, std::string_view name);

// All tables as Markdown, as they stand in docs/track_format.md.
std::string track_reference();

}  // namespace klingel::vehicle
