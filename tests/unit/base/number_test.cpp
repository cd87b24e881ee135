// Doubles as text: shortest, exact, and always a floating-point literal.
#include "base/number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>

namespace klingel::base {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(number, whole_numbers_stay_floating_point_literals) {
  EXPECT_EQ(shortest(2), "2.0");
  EXPECT_EQ(shortest(0), "0.0");
  EXPECT_EQ(shortest(-17), "-17.0");
}

TEST(number, the_sign_of_zero_survives) { EXPECT_EQ(shortest(-0.0), "-0.0"); }

TEST(number, text_is_the_shortest_that_reads_back) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(shortest(1e300), "1e+300");
  EXPECT_EQ(shortest(5e-324), "5e-324");
  EXPECT_EQ(shortest(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(shortest(-std::numeric_limits<double>::min()), "-2.2250738585072014e-308");
}

TEST(number, non_finite_values_are_the_macros_of_math_h) {
  EXPECT_EQ(shortest(infinity), "INFINITY");
  EXPECT_EQ(shortest(-infinity), "-INFINITY");
  EXPECT_EQ(shortest(nan), "NAN");
}

TEST(number, json_has_null_for_non_finite_values) {
  EXPECT_EQ(shortest_json(0.5), "0.5");
  EXPECT_EQ(shortest_json(2), "2.0");
  EXPECT_EQ(shortest_json(infinity), "null");
  EXPECT_EQ(shortest_json(nan), "null");
}

TEST(number, any_bits_read_back_as_the_same_bits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = shortest(value);
    const double back = std::strtod(text.c_str(), nullptr);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(back)) << text;
    ASSERT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace klingel::base
