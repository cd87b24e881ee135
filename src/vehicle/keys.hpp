// All tables of keys of vehicle and scenario files: the one list that readers check against and
// that docs/vehicle_format.md is compared with. Elements, constraints, bodies and so on bring their
// own tables; those of the file as a whole are in keys.cpp, of scenarios in scenario_keys.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vehicle/schema.hpp"

namespace klingel::vehicle {

// In the order of the document.
std::vector<Section> vehicle_sections();
std::span<const Section> scenario_sections();
// One that has no struct with a table of its own: "file", "group", "coupler" ...
const Section& section(std::string_view name);

// All keys that are allowed in a section.
std::vector<Key> keys_of(const Section& section);

// Refuses keys of the table that are not in the section, with the nearest known one. Asserts that
// its reader read known keys only.
void refuse_unknown(const Table& table, const Section& section);
void refuse_unknown(const Table& table, std::string_view section);

// The sections as Markdown: a heading and a table of keys for each.
std::string reference_text(std::span<const Section> sections);

}  // namespace klingel::vehicle
