// The golden files' own helper: what differs is shown, and only that with a little around it.
#include "tests/support/golden.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <string>

namespace klingel::test {
namespace {

TEST(golden, equal_texts_have_no_diff) {
  EXPECT_EQ(unified_diff("", ""), "");
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n"), "");
}

TEST(golden, a_changed_line_is_shown_with_three_lines_around) {
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "@@ -2 +2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(golden, added_and_removed_lines_are_found_in_the_middle) {
  EXPECT_EQ(unified_diff("a\nb\nc\nd\n", "a\nc\nx\nd\n"), "@@ -1 +1 @@\n a\n-b\n c\n+x\n d\n");
}

TEST(golden, a_missing_newline_at_the_end_is_shown) {
  EXPECT_EQ(unified_diff("a\n", "a"), "@@ -1 +1 @@\n a\n+\\ no newline at the end\n");
}

TEST(golden, a_long_diff_is_cut_off) {
  std::string x, y;
  for (int i = 0; i < 5000; ++i) {
    x += std::to_string(i) + "\n";
    y += std::to_string(-i - 1) + "\n";
  }
  const std::string diff = unified_diff(x, y, 20);
  EXPECT_EQ(lines_of(diff).size(), 22u);
  EXPECT_EQ(lines_of(diff).back(), "... and more");
}

TEST(golden, a_missing_file_says_how_to_make_it) {
  if (updates_golden()) GTEST_SKIP();
  EXPECT_NONFATAL_FAILURE(
      expect_golden("no/such/file.txt", "text"),
      "tests/golden/no/such/file.txt does not exist; KLINGEL_UPDATE_GOLDEN=1 rewrites it");
}

}  // namespace
}  // namespace klingel::test
