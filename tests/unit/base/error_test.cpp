// base::Error: the place stands before the text, and only as much of it as is known.
#include "base/error.hpp"

#include <gtest/gtest.h>

namespace klingel::base {
namespace {

TEST(error, text_without_place_is_the_text_alone) {
  const Error error("no such body");
  EXPECT_STREQ(error.what(), "no such body");
  EXPECT_FALSE(error.place().has_value());
}

TEST(error, place_stands_before_the_text) {
  const Error error({"a.toml", 118, 11}, "no such body");
  EXPECT_STREQ(error.what(), "a.toml:118:11: no such body");
  ASSERT_TRUE(error.place().has_value());
  EXPECT_EQ(error.place()->line, 118);
}

TEST(error, unknown_line_or_column_is_not_printed) {
  EXPECT_EQ(text(Place{"a.toml", 3, 0}), "a.toml:3");
  EXPECT_EQ(text(Place{"a.toml", 0, 0}), "a.toml");
}

TEST(error, fail_throws_the_formatted_text) {
  try {
    fail("{} has {} rows, expected {}", "M_qq", 3, 4);
    FAIL() << "fail() returned";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "M_qq has 3 rows, expected 4");
  }
}

TEST(error, fail_at_puts_the_place_first) {
  try {
    fail_at({"a.toml", 2, 5}, "found '{}'", 'x');
    FAIL() << "fail_at() returned";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.toml:2:5: found 'x'");
  }
}

}  // namespace
}  // namespace klingel::base
