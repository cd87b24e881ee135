// Subject: base/pack_functions. Claim: four results at once are those of the standard library to
// some units in the last place, whatever the other lanes hold.
#include "base/pack_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace klingel::base {
namespace {

constexpr double ulp = std::numeric_limits<double>::epsilon();

TEST(pack_functions, angles_small_and_large) {
  for (double x = -4; x < 4; x += 0.00837) {
    const Pack four = {x, x / 10, -x, x * 100};
    const Pack s = sin(four), c = cos(four);
    for (std::size_t lane = 0; lane < pack_lanes; ++lane) {
      EXPECT_NEAR(s[lane], std::sin(four[lane]), 2 * ulp * std::abs(std::sin(four[lane])) + 1e-300);
      EXPECT_NEAR(c[lane], std::cos(four[lane]), 2 * ulp);
    }
    EXPECT_EQ(sin(splat(x))[2], s[0]) << "other lanes do not matter";
    EXPECT_EQ(cos(splat(x))[2], c[0]);
  }
}

TEST(pack_functions, what_is_no_number_stays_so) {
  const Pack bad = {std::nan(""), INFINITY, -INFINITY, 1};
  EXPECT_TRUE(std::isnan(sin(bad)[0]) && std::isnan(sin(bad)[1]) && std::isnan(cos(bad)[2]));
}

}  // namespace
}  // namespace klingel::base
