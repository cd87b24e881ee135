// The exponential function of four numbers against the library's.
#include "base/pack_exp.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "tests/support/random.hpp"

namespace klingel::base {
namespace {

TEST(pack_exp, is_within_1e_14_of_exp_between_minus_700_and_700) {
  test::Random random(1);
  double worst = 0;
  const auto look = [&](double x) {
    const double expected = std::exp(x), found = exponential(splat(x))[0];
    worst = std::max(worst, std::abs(found / expected - 1));
  };
  for (int i = 0; i < 20'000; ++i) look(random.within(700));
  for (int i = 0; i < 20'000; ++i) look(random.within(2));
  for (int i = -700; i <= 700; ++i) look(i);
  // where r is largest: half way between multiples of ln 2
  for (int n = -1009; n <= 1009; ++n) look((n + 0.5) * 0.69314718055994531);
  EXPECT_LT(worst, 1e-14);  // what the header says; 2.3e-16 is found
}

TEST(pack_exp, is_one_at_zero_and_keeps_small_differences) {
  EXPECT_EQ(exponential(splat(0.0))[0], 1);
  for (const double x : {1e-3, 1e-6, 1e-9, 1e-12}) {
    // 1 + x has half a unit in the last place of 1
    EXPECT_NEAR(exponential(splat(x))[0] - 1, std::expm1(x), 3e-16);
    EXPECT_NEAR(exponential(splat(-x))[0] - 1, std::expm1(-x), 3e-16);
  }
}

TEST(pack_exp, is_zero_below_and_stays_at_its_last_value_above) {
  EXPECT_GT(exponential(splat(-700))[0], 0);
  for (const double x : {-700.0000001, -710.0, -800.0, -1e6, -1e300, -HUGE_VAL}) {
    const Pack found = exponential(splat(x));
    for (std::size_t lane = 0; lane < pack_lanes; ++lane) EXPECT_EQ(found[lane], 0) << x;
  }
  for (const double x : {701.0, 1e6, HUGE_VAL})
    EXPECT_EQ(exponential(splat(x))[0], exponential(splat(700))[0]);
}

TEST(pack_exp, what_is_no_number_stays_none) {
  const Pack found = exponential(Pack{0, std::nan(""), 1, -1});
  EXPECT_TRUE(std::isnan(found[1]));
  EXPECT_EQ(found[0], 1);
}

TEST(pack_exp, grows_with_its_argument) {
  test::Random random(2);
  for (int i = 0; i < 5'000; ++i) {
    const double x = random.within(690);
    // steps of 1e-14 of x and more, above the error of the result
    EXPECT_LT(exponential(splat(x))[0], exponential(splat(x + 1e-12))[0]) << x;
  }
}

TEST(pack_exp, every_lane_has_the_same_bits_as_alone) {
  test::Random random(3);
  for (int i = 0; i < 5'000; ++i) {
    const double range = i % 2 == 0 ? 720 : 3;
    const Pack x = {random.within(range), random.within(range), random.within(range),
                    random.within(range)};
    const Pack together = exponential(x);
    for (std::size_t lane = 0; lane < pack_lanes; ++lane) {
      const Pack alone = exponential(splat(x[lane]));
      for (std::size_t k = 0; k < pack_lanes; ++k)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(double{together[lane]}),
                  std::bit_cast<std::uint64_t>(double{alone[k]}))
            << x[lane];
    }
  }
}

// Written down once: every machine must find them, too.
TEST(pack_exp, has_the_same_bits_on_every_machine) {
  std::uint64_t sum = 0;
  for (int i = -7000; i <= 7000; ++i)
    sum = 31 * sum + std::bit_cast<std::uint64_t>(double{exponential(splat(0.1 * i))[0]});
  EXPECT_EQ(sum, 5783491523982895677ULL);
}

}  // namespace
}  // namespace klingel::base
