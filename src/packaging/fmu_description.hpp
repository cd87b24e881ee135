// modelDescription.xml of FMI 2.0 and 3.0, and buildDescription.xml of 3.0.
#pragma once

#include <string>
#include <vector>

#include "packaging/parts.hpp"

namespace klingel::packaging {

std::string fmi2_description(const Parts& parts);
std::string fmi3_description(const Parts& parts);
// Sources are in the folder of the file; Eigen is listed as a library.
std::string fmi3_build_description(const Parts& parts, const std::vector<std::string>& sources);

}  // namespace klingel::packaging
