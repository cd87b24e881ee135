// The path that a 'file:' URI means, "%20" and the like decoded; empty if it is no such URI.
#pragma once

#include <string>
#include <string_view>

namespace klingel::fmu {

std::string path_of_uri(std::string_view uri);

}  // namespace klingel::fmu
