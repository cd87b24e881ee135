// Text in XML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace klingel::base {

// With the signs of markup replaced, and control characters, which XML does not allow, as spaces.
std::string xml_escaped(std::string_view text);

}  // namespace klingel::base
