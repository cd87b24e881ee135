// Subject: realtime/input_hold. Claim: inputs are held for the stated time, then safe ones act
// until a frame comes; nothing acts before the first one.
#include "realtime/input_hold.hpp"

#include <gtest/gtest.h>

namespace klingel::realtime {
namespace {

TEST(input_hold, holds_then_is_safe) {
  InputHold hold({-1}, 100);
  hold.miss(1'000);
  EXPECT_FALSE(hold.acts());
  const double five = 5, six = 6;
  hold.take({&five, 1}, 2'000);
  EXPECT_TRUE(hold.acts());
  hold.miss(2'100);
  EXPECT_FALSE(hold.is_safe());
  EXPECT_EQ(hold.values()[0], 5);
  hold.miss(2'101);
  EXPECT_TRUE(hold.is_safe());
  EXPECT_EQ(hold.values()[0], -1);
  hold.take({&six, 1}, 3'000);
  EXPECT_FALSE(hold.is_safe());
  EXPECT_EQ(hold.values()[0], 6);
}

}  // namespace
}  // namespace klingel::realtime
