// Random numbers for tests: the same for the same seed with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace klingel::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  // Within [low, high), from the top 53 bits, because the distributions of the standard library
  // differ.
  double uniform(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(bits_() >> 11), -53);
  }
  double within(double limit) { return uniform(-limit, limit); }
  // 0 .. n - 1
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits_() >> 32) % n; }
  bool chance(double p) { return uniform(0, 1) < p; }

 private:
  std::mt19937_64 bits_;
};

}  // namespace klingel::test
