// Subject: base/piecewise_linear. Claim: linear between points, constant outside, also for one.
#include "base/piecewise_linear.hpp"

#include <gtest/gtest.h>

namespace klingel::base {
namespace {

TEST(piecewise_linear, is_linear_between_points_and_constant_outside) {
  const std::vector<double> x{1, 2, 4}, y{10, 20, 0};
  EXPECT_EQ(piecewise_linear(x, y, -1), 10);
  EXPECT_EQ(piecewise_linear(x, y, 1.25), 12.5);
  EXPECT_EQ(piecewise_linear(x, y, 3), 10);
  EXPECT_EQ(piecewise_linear(x, y, 5), 0);
  EXPECT_EQ(piecewise_linear({0}, {7}, 3), 7);
}

}  // namespace
}  // namespace klingel::base
