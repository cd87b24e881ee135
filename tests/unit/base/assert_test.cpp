// The two assertions: always on, silent when true, and when false they print the expression,
// both operands and the place before aborting.
#include "base/assert.hpp"

#include <gtest/gtest.h>

#include <string>

namespace klingel::base {
namespace {

struct Opaque {
  int x;
  bool operator==(const Opaque&) const = default;
};

enum class Colour { red = 1, green = 2 };

TEST(assertion, true_conditions_pass_silently) {
  KLINGEL_ASSERT(1 + 1 == 2);
  KLINGEL_ASSERT_EQ(std::string("a"), "a");
}

TEST(assertion, operands_are_evaluated_once) {
  int calls = 0;
  KLINGEL_ASSERT_EQ(++calls, 1);
  KLINGEL_ASSERT(++calls == 2);
  EXPECT_EQ(calls, 2);
}

TEST(assertion_death_test, a_false_condition_prints_place_and_expression) {
  EXPECT_DEATH(KLINGEL_ASSERT(2 < 1), "assert_test.cpp:[0-9]+: assertion failed: 2 < 1");
}

TEST(assertion_death_test, unequal_operands_are_both_printed) {
  const int rows = 3;
  EXPECT_DEATH(KLINGEL_ASSERT_EQ(rows, 4), "rows == 4 .left is 3, right is 4.");
}

TEST(assertion_death_test, operands_of_any_type_can_be_compared) {
  EXPECT_DEATH(KLINGEL_ASSERT_EQ(Opaque{1}, Opaque{2}), "left is [?], right is [?]");
  EXPECT_DEATH(KLINGEL_ASSERT_EQ(Colour::red, Colour::green), "left is 1, right is 2");
}

}  // namespace
}  // namespace klingel::base
