// Files of wear studies: what is read, and what is wrong with others.
#include "study/wear_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace klingel::study {
namespace {

std::string complaint(const char* text) {
  try {
    parse_wear_study(text, "wear.toml");
  } catch (const base::Error& e) {
    return e.what();
  }
  return "";
}

TEST(wear_file, values_are_in_metres_and_kilometres) {
  const WearStudy s = parse_wear_study(
      "[wear]\nmileage = 5e4\nlaw = \"pearce\"\nmost_depth = 0.2\n"
      "[[case]]\nrun = \"bogie\"\nshare = 2\nspeed = 30\n",
      "wear.toml");
  EXPECT_EQ(s.law, wear::WearLaw::pearce);
  EXPECT_DOUBLE_EQ(s.most_depth, 2e-4);
  EXPECT_DOUBLE_EQ(s.smooth, 1.5e-3);
  EXPECT_EQ(s.cases.at(0).run, "bogie");
  EXPECT_EQ(*s.cases[0].changes.speed, 30);
}

TEST(wear_file, mistakes_are_named_with_their_place) {
  EXPECT_THAT(complaint("[wear]\nmileage = 5e4\n"), testing::HasSubstr("nothing runs"));
  EXPECT_THAT(complaint("[wear]\nmileage = -1\n[[case]]\nrun = \"bogie\"\n"),
              testing::HasSubstr("wear.toml:2"));
  EXPECT_THAT(complaint("[wear]\nmileage = 1\nlaw = \"usdf\"\n[[case]]\nrun = \"bogie\"\n"),
              testing::HasSubstr("usfd"));
  EXPECT_THAT(complaint("[wear]\nmileage = 1\n[[case]]\nrun = \"bogie\"\nshares = 1\n"),
              testing::HasSubstr("share"));
  EXPECT_THAT(complaint("[wear]\nmileage = 1\nvehicles = -3\n[[case]]\nrun = \"bogie\"\n"),
              testing::HasSubstr("wear.toml:3"));
  EXPECT_THAT(complaint("[study]\n"), testing::HasSubstr("wear"));
}

}  // namespace
}  // namespace klingel::study
