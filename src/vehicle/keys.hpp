// Every key of vehicle and scenario files: the one list that readers check against and that
// docs/vehicle_format.md is compared with.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vehicle/document.hpp"

namespace klingel::vehicle {

struct Key {
  std::string_view name;
  std::string_view kind;      // what stands there: number, formula, text, point ...
  std::string_view unit;      // SI; "-" where there is none
  std::string_view fallback;  // "required", or what holds while the key is absent
  std::string_view meaning;
};

// A table of a file.
struct Section {
  std::string_view name;   // as in the file: "isotropic_spring"
  std::string_view about;  // one sentence
  std::span<const Key> keys;
  bool contents = false;  // the keys of section "contents" may stand here too
};

std::span<const Section> vehicle_sections();
std::span<const Section> scenario_sections();
const Section& section(std::string_view name);

// Refuses keys of the table that are not in the section, with the nearest known one. Asserts that
// its reader asked for known keys only.
void refuse_unknown(const Table& table, std::string_view section);

// The sections as Markdown: a heading and a table of keys for each.
std::string reference_text(std::span<const Section> sections);

}  // namespace klingel::vehicle
