// Another process, waited for.
#pragma once

#include <string>

namespace klingel::cli {

// arguments: the path of the program first, null behind the last. What it said on its error stream
// if it failed, else nothing. Its output is not shown.
std::string run_program(const char* const* arguments);

}  // namespace klingel::cli
