// Names of what is shipped, as 'klingel list' prints them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace klingel::cli {

inline constexpr const char* shipped_kinds[] = {"vehicles", "tracks",    "profiles", "scenarios",
                                                "studies",  "estimates", "examples"};

std::vector<std::string> shipped(std::string_view kind);

}  // namespace klingel::cli
