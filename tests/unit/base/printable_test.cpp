// Text from files: what a terminal would obey is shown instead.
#include "base/printable.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace klingel::base {
namespace {

TEST(printable, control_characters_become_text_and_the_rest_stays) {
  EXPECT_EQ(printable("a \x1b[31mred"), "a \\x1b[31mred");
  EXPECT_EQ(printable("bell\a, delete\x7f"), "bell\\x07, delete\\x7f");
  EXPECT_EQ(printable("line\n\ttab"), "line\n\ttab");
  EXPECT_EQ(printable("Räder λ €"), "Räder λ €");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m")
      << "the same sign in one character";
  EXPECT_EQ(printable("\xc2"), "\xc2") << "cut off";
}

TEST(printable, errors_are) {
  EXPECT_STREQ(Error("no '\x1b[2J'").what(), "no '\\x1b[2J'");
  EXPECT_STREQ(Error(Place{"a\x1b.toml", 1, 2}, "b\x01").what(), "a\\x1b.toml:1:2: b\\x01");
}

}  // namespace
}  // namespace klingel::base
