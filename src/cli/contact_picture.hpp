// The picture of `klingel contact`: the left wheel above the left rail with lines between points
// that touch, the right side too if its profiles differ, and below it rolling radii and contact
// angles over y.
#pragma once

#include <span>
#include <string>

#include "cli/wheelset_options.hpp"

namespace klingel::cli {

// SVG text.
std::string contact_picture(const Wheelset& wheelset,
                            std::span<const contact::WheelsetContact> contacts);

}  // namespace klingel::cli
