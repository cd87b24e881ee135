// Counts allocations of this test program, Eigen's included: those are by malloc, not by new.
#pragma once

#include <cstddef>

namespace klingel::test {

// How often this thread allocated so far.
std::size_t allocation_count();

}  // namespace klingel::test
