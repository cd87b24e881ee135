#include "base/progress_bar.hpp"

#include <gtest/gtest.h>

namespace klingel::base {
namespace {

TEST(progress_bar, fills_with_the_share_and_keeps_the_width) {
  EXPECT_EQ(with_bar(0.5, " half", 17), "[=====>    ] half");
  EXPECT_EQ(with_bar(1, " all", 16), "[==========] all");
  EXPECT_EQ(with_bar(0, " none", 200).size(), 32u + 5u);  // never longer than this
  EXPECT_EQ(with_bar(0.5, " no room for a bar", 10), " no room f");
}

TEST(progress_bar, times_are_rough) {
  EXPECT_EQ(rough_time(0.2), "1 s");
  EXPECT_EQ(rough_time(119), "119 s");
  EXPECT_EQ(rough_time(3600), "60 min");
  EXPECT_EQ(rough_time(36000), "10 h");
}

}  // namespace
}  // namespace klingel::base
