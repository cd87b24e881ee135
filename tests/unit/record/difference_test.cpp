// Differences of two recordings, against sums by hand.
#include "record/difference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/error_of.hpp"

namespace klingel::record {
namespace {

using test::error_of;
using testing::HasSubstr;

Recording run(const std::vector<double>& t, const std::vector<double>& x) {
  return Recording({{"t", "s", ""}, {"x", "m", ""}}, {t, x}, {});
}

TEST(difference, other_rows_are_read_between_and_only_the_common_part_counts) {
  const Recording a = run({0, 1, 2, 3}, {0, 1, 2, 3}), b = run({0.5, 2.5}, {0.5, 4.5});
  const std::vector<Difference> d = differences(a, b, "t", {"*"});
  ASSERT_EQ(d.size(), 1u);
  EXPECT_EQ(d[0].channel, "x");
  EXPECT_EQ(d[0].rows, 2u);  // at 1 and 2: 1.5 and 3.5
  EXPECT_DOUBLE_EQ(d[0].mean_a, 1.5);
  EXPECT_DOUBLE_EQ(d[0].mean_b, 2.5);
  EXPECT_DOUBLE_EQ(d[0].largest, 1.5);
  EXPECT_DOUBLE_EQ(d[0].at, 2);
  EXPECT_DOUBLE_EQ(d[0].rms, std::sqrt((0.25 + 2.25) / 2));
  EXPECT_DOUBLE_EQ(d[0].range, 1);
}

TEST(difference, rows_without_numbers_are_left_out) {
  const Recording a = run({0, 1, 2}, {0, NAN, 2}), b = run({0, 1, 2}, {0, 5, 2});
  const std::vector<Difference> d = differences(a, b, "t", {"x"});
  EXPECT_EQ(d[0].rows, 2u);
  EXPECT_EQ(d[0].largest, 0);
}

TEST(difference, what_cannot_be_compared_is_refused) {
  const Recording a = run({0, 1}, {0, 1}), late = run({5, 6}, {0, 1}), back = run({1, 0}, {0, 1});
  EXPECT_THAT(error_of([&] { differences(a, late, "t", {"*"}); }),
              HasSubstr("no part of 't' in common"));
  EXPECT_THAT(error_of([&] { differences(a, back, "t", {"*"}); }), HasSubstr("does not rise"));
  EXPECT_THAT(error_of([&] { differences(a, a, "t", {"y"}); }), HasSubstr("y"));
}

}  // namespace
}  // namespace klingel::record
