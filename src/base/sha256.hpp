// SHA-256 (FIPS 180-4) of a text, to name generated files by their content. Chosen for being
// the same everywhere and free of accidental collisions, not for secrecy.
#pragma once

#include <string>
#include <string_view>

namespace klingel::base {

// The digest as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace klingel::base
