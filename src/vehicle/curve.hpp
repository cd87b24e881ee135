// Curves in vehicle files: points, or a file of them.
#pragma once

#include <string_view>

#include "vehicle/document.hpp"
#include "vehicle/value_types.hpp"

namespace klingel::vehicle {

// At least two points with ascending first values and second ones that do not fall; else an Error
// at the place of the first wrong one. The path of a file is relative to the vehicle file; it has
// two numbers per line, parted by a comma or semicolon. Lines that begin with '#' and a first line
// of names are skipped.
Curve read_curve(Table& table, std::string_view key);

// The same of a file alone, which the vehicle file at `place` names; second values may fall.
Curve table_of_file(const std::string& name, const base::Place& place);

}  // namespace klingel::vehicle
