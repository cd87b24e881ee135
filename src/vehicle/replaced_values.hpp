// A file with some of its values replaced from outside, before anything is read of it: what studies
// do to tracks. A value is named by the keys that lead to it, joined by dots; items of lists are
// counted from 1, and a list without a number means all of its items that have the key:
//
//   irregularity.2.amplitude    section.3.cant_height    irregularity.seed    rail_profile
#pragma once

#include <span>

#include "vehicle/document.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {

// Numbers stay numbers and texts texts; a key that a table does not have is added to it, for the
// reader to refuse if it knows none. A name that leads to nothing is an Error with near names; so
// is a value of the other kind.
Document replaced(const Document& file, std::span<const Setting> settings);

}  // namespace klingel::vehicle
