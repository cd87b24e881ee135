// Texts of an exported package that are written, not generated from equations: how to build it, its
// self-test and its README.
#pragma once

#include <string>
#include <vector>

#include "packaging/parts.hpp"

namespace klingel::packaging {

std::string makefile_text(const Parts& parts, const std::vector<std::string>& sources);
std::string cmake_text(const Parts& parts, const std::vector<std::string>& sources);
std::string selftest_text(const Parts& parts, bool embed);
std::string readme_text(const Parts& parts, bool embed, int selftest_steps);

}  // namespace klingel::packaging
