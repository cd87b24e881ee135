// Subject: packaging/unit_powers. Claim: units of files and channels become powers of base units,
// and what is no product of known ones is refused.
#include "packaging/unit_powers.hpp"

#include <gtest/gtest.h>

namespace klingel::packaging {
namespace {

void expect(const char* text, UnitPowers u) {
  const std::optional<UnitPowers> found = unit_powers(text);
  ASSERT_TRUE(found) << text;
  EXPECT_EQ(found->kg, u.kg) << text;
  EXPECT_EQ(found->m, u.m) << text;
  EXPECT_EQ(found->s, u.s) << text;
  EXPECT_EQ(found->rad, u.rad) << text;
}

TEST(unit_powers, of_products_and_quotients) {
  expect("1", {});
  expect("m", {0, 1, 0, 0});
  expect("m/s2", {0, 1, -2, 0});
  expect("1/m", {0, -1, 0, 0});
  expect("rad/s", {0, 0, -1, 1});
  expect("N", {1, 1, -2, 0});
  expect("Nm", {1, 2, -2, 0});
  expect("N m", {1, 2, -2, 0});
  expect("N s/m", {1, 0, -1, 0});
  expect("kg m2", {1, 2, 0, 0});
  expect("W", {1, 2, -3, 0});
  expect("Pa", {1, -1, -2, 0});
}

TEST(unit_powers, of_other_texts_there_are_none) {
  for (const char* text : {"", " ", "/", "/s", "m/", "mm", "m/s/s", "m or rad", "furlong", "kN"})
    EXPECT_FALSE(unit_powers(text)) << text;
}

}  // namespace
}  // namespace klingel::packaging
