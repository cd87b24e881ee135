// What a step of the tutorial promises. A promise that does not hold ends the program with exit
// code 3.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace klingel::tutorial {

inline void check(bool holds, const char* promise) {
  if (holds) return;
  fmt::print(stderr, "not true: {}\n", promise);
  std::exit(3);
}

// Equal up to rounding: relative to the larger one, or absolute below 1.
inline bool near(double a, double b, double tolerance = 1e-12) {
  return std::abs(a - b) <= tolerance * std::fmax(1, std::fmax(std::abs(a), std::abs(b)));
}

}  // namespace klingel::tutorial
