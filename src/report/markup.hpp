// Text inside SVG and HTML, and the head that all our drawings share.
#pragma once

#include <string>
#include <string_view>

#include "base/xml.hpp"

namespace klingel::report {

// For text between tags and in quoted attributes; control characters become blanks.
inline std::string escaped(std::string_view words) { return base::xml_escaped(words); }

// Pixels that a text of 12 px takes, about.
double text_width(std::string_view words);

// A whole SVG document of this size around its elements, on an off-white ground of its own.
std::string svg_document(double width, double height, std::string_view elements);

}  // namespace klingel::report
