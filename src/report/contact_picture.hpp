// The picture of `klingel contact`: the left wheel above the left rail with lines between points
// that touch, the right side too if its profiles differ, and below it rolling radii and contact
// angles over y.
#pragma once

#include <span>
#include <string>

#include "contact/wheelset.hpp"
#include "contact/wheelset_contact.hpp"

namespace klingel::report {

// SVG text.
std::string contact_picture(const contact::Wheelset& wheelset,
                            std::span<const contact::WheelsetContact> contacts);

}  // namespace klingel::report
