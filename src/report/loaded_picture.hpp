// The picture of `klingel contact --load`: for some y both wheels on their rails, as seen from
// behind, with the patches as coloured strips, their pressure standing on them and what each
// carries, and below them the patches as seen from above. Of many y also rolling radii and angles.
#pragma once

#include <span>
#include <string>

#include "contact/loaded_row.hpp"
#include "contact/wheelset.hpp"

namespace klingel::report {

// SVG text. Of many rows some, from the first to the last, are drawn with their patches. load in N.
std::string loaded_picture(const contact::Wheelset& wheelset, double load,
                           std::span<const contact::LoadedRow> rows);

}  // namespace klingel::report
