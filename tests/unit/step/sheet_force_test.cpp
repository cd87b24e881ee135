// The force of a sheet: Hertz' law, a rail that gives way behind it, and the tangent.
#include "step/sheet_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace klingel::step {
namespace {

constexpr double k = 7e10;  // N/m^(3/2)

TEST(sheet_force, is_hertz_law_on_a_rail_that_does_not_give_way) {
  const SheetForce<double> f = sheet_force(k, 0.0, 1e-4);
  EXPECT_DOUBLE_EQ(f.N, k * 1e-4 * std::sqrt(1e-4));
  EXPECT_DOUBLE_EQ(f.K, 1.5 * k * std::sqrt(1e-4));
}

TEST(sheet_force, surfaces_do_not_pull) {
  for (const double delta : {-1e-3, 0.0}) {
    for (const double softness : {0.0, 2e-8}) {
      EXPECT_EQ(sheet_force(k, softness, delta).N, 0);
      EXPECT_EQ(sheet_force(k, softness, delta).K, 0);
    }
  }
}

TEST(sheet_force, rail_and_sheet_share_the_approach) {
  for (const double softness : {1e-10, 2e-8, 1e-6}) {
    for (const double delta : {1e-6, 1e-4, 5e-3}) {
      const double N = sheet_force(k, softness, delta).N;
      EXPECT_NEAR(std::pow(N / k, 2.0 / 3) + softness * N, delta, 1e-9 * delta)
          << softness << " " << delta;
    }
  }
}

TEST(sheet_force, tangent_is_that_of_the_force) {
  for (const double softness : {0.0, 2e-8}) {
    const double d = 1e-9, delta = 8e-5;
    const double slope =
        (sheet_force(k, softness, delta + d).N - sheet_force(k, softness, delta - d).N) / (2 * d);
    EXPECT_NEAR(sheet_force(k, softness, delta).K / slope, 1, 1e-6);
  }
}

TEST(sheet_force, four_lanes_give_the_bits_of_one) {
  const base::Pack delta{-1e-5, 1e-5, 1e-4, 2e-3};
  const SheetForce<base::Pack> all = sheet_force(base::splat(k), 2e-8, delta);
  for (std::size_t i = 0; i < base::pack_lanes; ++i) {
    const SheetForce<double> one = sheet_force(k, 2e-8, delta[i]);
    EXPECT_EQ(all.N[i], one.N);
    EXPECT_EQ(all.K[i], one.K);
  }
}

}  // namespace
}  // namespace klingel::step
