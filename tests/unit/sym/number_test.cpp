// Numbers: exact while they are small, then the nearest double; one value, one representation.
#include "sym/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "sym/graph.hpp"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

constexpr std::int64_t two_53 = std::int64_t{1} << 53;
constexpr std::int64_t two_31 = std::int64_t{1} << 31;

Number fraction(std::int64_t num, std::int64_t den) { return Number::rational(num, den); }

TEST(number, a_third_and_a_sixth_is_a_half) {
  EXPECT_EQ(fraction(1, 3) + fraction(1, 6), fraction(1, 2));
  EXPECT_EQ(fraction(1, 2) - fraction(1, 3), fraction(1, 6));
  EXPECT_EQ(fraction(2, 3) * fraction(3, 4), fraction(1, 2));
  EXPECT_EQ(fraction(2, 3) / fraction(4, 3), fraction(1, 2));
}

TEST(number, ten_tenths_are_one_as_fractions) {
  Number sum;
  for (int i = 0; i < 10; ++i) sum = sum + fraction(1, 10);
  EXPECT_TRUE(sum.is(1));
}

TEST(number, a_fraction_is_reduced_and_its_sign_is_in_the_numerator) {
  const Number x = fraction(6, -4);
  EXPECT_EQ(x.num(), -3);
  EXPECT_EQ(x.den(), 2);
  EXPECT_TRUE(x.negative());
  EXPECT_EQ(x.op(), Op::rational);
  EXPECT_EQ(x.value(), -1.5);
}

TEST(number, a_fraction_that_is_whole_is_an_integer) {
  EXPECT_EQ(fraction(6, 3).op(), Op::integer);
  EXPECT_TRUE(fraction(6, 3).is(2));
  EXPECT_TRUE((fraction(1, 3) + fraction(2, 3)).is(1));
  EXPECT_TRUE(fraction(0, 7).is(0));
}

TEST(number, a_double_that_is_a_small_dyadic_fraction_is_exact) {
  for (const double x : {0.5, -0.75, 1.0 / 1024, 3.0 / 8, 12345.0 / 65536, std::ldexp(1, -30),
                         std::ldexp(two_31 - 1.0, -30)}) {
    EXPECT_EQ(Number::real(x).op(), Op::rational) << x;
    EXPECT_EQ(Number::real(x).value(), x);
  }
  EXPECT_EQ(Number::real(0.375), fraction(3, 8));
}

TEST(number, a_double_that_is_whole_is_an_integer) {
  EXPECT_EQ(Number::real(-7.0), Number(-7));
  EXPECT_EQ(Number::real(static_cast<double>(two_53)), Number(two_53));
  EXPECT_EQ(Number::real(-0.0), Number(0));
}

TEST(number, other_doubles_stay_doubles) {
  for (const double x :
       {0.1, std::ldexp(1, -31), 1e-300, 1e300, std::ldexp(1, 54), std::ldexp(two_31 + 1.0, -30),
        std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()}) {
    EXPECT_EQ(Number::real(x).op(), Op::real) << x;
    EXPECT_EQ(Number::real(x).value(), x);
    EXPECT_EQ(Number::real(-x).value(), -x);
  }
}

TEST(number, integers_are_exact_up_to_two_to_the_53) {
  EXPECT_EQ((Number(two_53 - 1) + Number(1)).op(), Op::integer);
  EXPECT_EQ((Number(two_53 - 1) + Number(1)).num(), two_53);
  EXPECT_EQ((Number(two_53) + Number(2)).op(), Op::real);
  EXPECT_EQ((Number(-two_53) - Number(2)).op(), Op::real);
  EXPECT_EQ((Number(two_53) + Number(2)).value(), static_cast<double>(two_53 + 2));
  EXPECT_EQ(Number(two_53) + Number(1),
            Number(two_53));  // a tie goes to even, which is exact again
}

TEST(number, fractions_are_exact_with_parts_below_two_to_the_31) {
  EXPECT_TRUE(fraction(1, two_31 - 1).exact());
  EXPECT_TRUE(fraction(two_31 - 1, 2).exact());
  EXPECT_FALSE(fraction(1, two_31).exact());
  EXPECT_FALSE(fraction(two_31, 3).exact());
  EXPECT_FALSE((fraction(1, 65537) * fraction(1, 65539)).exact());
}

TEST(number, the_extremes_of_int64_are_legal) {
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(fraction(low, 1).value(), static_cast<double>(low));
  EXPECT_EQ(fraction(low, -1).value(), -static_cast<double>(low));
  EXPECT_TRUE(fraction(low, low).is(1));
  EXPECT_EQ(fraction(1, low).value(), 1 / static_cast<double>(low));
}

// IEEE rounds the product and the quotient of two doubles correctly, so these are the nearest
TEST(number, a_result_beyond_the_exact_range_is_the_nearest_double) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> integer(two_53 / 4, two_53);
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t a = integer(random), b = integer(random);
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    ASSERT_EQ((Number(a) * Number(-b)).value(), -(x * y)) << a << " * " << b;
    ASSERT_EQ((Number(a) / Number(b)).value(), x / y) << a << " / " << b;
    ASSERT_EQ((Number(a) + Number(b)).value(), x + y) << a << " + " << b;
  }
}

TEST(number, one_value_has_one_representation) {
  // a double that comes out of arithmetic as a small number is that number
  EXPECT_EQ(Number::real(0.1) * Number(0), Number(0));
  EXPECT_EQ(Number::real(1e300) / Number::real(1e300), Number(1));
  EXPECT_EQ(Number::real(0.1) - Number::real(0.1), Number(0));
  EXPECT_EQ(Number(two_53) * Number(2) / Number(4), Number(two_53 / 2));
  EXPECT_EQ(-(-fraction(1, 3)), fraction(1, 3));
  EXPECT_EQ(-(-Number::real(0.1)), Number::real(0.1));
}

TEST(number, one_value_is_one_node) {
  Graph g;
  EXPECT_EQ(g.number(0.5), g.rational(1, 2));
  EXPECT_EQ(g.number(3), g.rational(6, 2));
  EXPECT_EQ(g.number(-0.0), g.number(0));
  EXPECT_EQ(g.number(0.1), g.number(0.1));
  EXPECT_NE(g.number(1.0 / 3), g.rational(1, 3));  // the double is not a third
  EXPECT_EQ(g.size(), 6u);
}

TEST(number, a_node_gives_its_number_back) {
  Graph g;
  for (const Number& x :
       {Number(0), Number(-1), Number(two_53), Number(-two_53), fraction(-1, 3),
        fraction(1 - two_31, two_31 - 1 - 1), Number::real(0.1), Number::real(-1e-300)}) {
    EXPECT_EQ(g.number_of(g.intern(x)), x) << x.value();
  }
}

TEST(number, the_exact_root_exists_for_squares_only) {
  EXPECT_EQ(exact_sqrt(Number(49)), Number(7));
  EXPECT_EQ(exact_sqrt(fraction(9, 16)), fraction(3, 4));
  EXPECT_EQ(exact_sqrt(Number(0)), Number(0));
  EXPECT_EQ(exact_sqrt(Number(std::int64_t{94906265} * 94906265)), Number(94906265));
  EXPECT_EQ(exact_sqrt(Number(std::int64_t{94906265} * 94906265 - 1)), std::nullopt);
  EXPECT_EQ(exact_sqrt(Number(2)), std::nullopt);
  EXPECT_EQ(exact_sqrt(fraction(1, 3)), std::nullopt);
  EXPECT_EQ(exact_sqrt(Number(-4)), std::nullopt);
  EXPECT_EQ(exact_sqrt(Number::real(0.1)), std::nullopt);
}

TEST(number, zero_denominators_and_non_finite_values_are_errors) {
  EXPECT_EQ(error_of([] { fraction(3, 0); }), "the rational number 3/0 has a zero denominator");
  EXPECT_EQ(error_of([] { Number(3) / Number(0); }), "division of the constant 3 by zero");
  EXPECT_EQ(error_of([] { Number::real(std::numeric_limits<double>::infinity()); }),
            "a constant must be finite, found inf");
  EXPECT_EQ(error_of([] { Number::real(std::nan("")); }), "a constant must be finite, found nan");
  EXPECT_EQ(error_of([] { Number::real(1e300) * Number::real(1e300); }),
            "a constant must be finite, found inf");
}

}  // namespace
}  // namespace klingel::sym
