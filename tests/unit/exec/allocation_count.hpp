// Counts calls of operator new in this test program.
#pragma once

#include <cstddef>

namespace klingel::exec {

// How often this thread allocated so far.
std::size_t allocation_count();

}  // namespace klingel::exec
