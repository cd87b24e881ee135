// Text from files as it may be printed.
#pragma once

#include <string>
#include <string_view>

namespace klingel::base {

// The text with control characters written as \x1b: a terminal obeys them, so that a name in a
// file could change what a user sees. Line breaks and tabs stay, and so does UTF-8, except for the
// control characters it has besides (U+0080 to U+009F).
std::string printable(std::string_view text);

}  // namespace klingel::base
