// base/trig.h: sine and cosine on lanes. Claims: below one unit in the last place up to the limit,
// the same bits whatever the neighbours, and the C library's answer beyond.
#include "base/trig.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

double ulp(double y) { return std::nextafter(std::abs(y), DBL_MAX) - std::abs(y); }

// the worst error of sine and cosine at x, in units in the last place
double error(double x) {
  double s, c;
  klingel_sincos(1, &x, &s, &c);
  const long double S = sinl(static_cast<long double>(x)), C = cosl(static_cast<long double>(x));
  const double es = static_cast<double>(fabsl(S - s)) / ulp(static_cast<double>(S));
  const double ec = static_cast<double>(fabsl(C - c)) / ulp(static_cast<double>(C));
  return std::max(es, ec);
}

TEST(Trig, is_within_one_unit_in_the_last_place_up_to_the_limit) {
  std::mt19937_64 random(1);
  for (const double range : {1e-8, 0.1, 0.8, 4.0, 100.0, 1e4, KLINGEL_TRIG_LIMIT}) {
    std::uniform_real_distribution<double> uniform(-range, range);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) worst = std::max(worst, error(uniform(random)));
    EXPECT_LT(worst, 1.0) << "up to " << range;
  }
}

TEST(Trig, keeps_its_digits_next_to_multiples_of_half_pi) {
  double worst = 0;
  for (int n = 1; n < 1000000; n += 37) {
    const double x = n * M_PI_2;
    for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, 2 * x)})
      worst = std::max(worst, error(y));
  }
  EXPECT_LT(worst, 1.0);
}

TEST(Trig, gives_the_same_bits_alone_and_among_others) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-50, 50);
  for (int n = 1; n <= 23; ++n) {
    std::vector<double> x(static_cast<std::size_t>(n)), s(x.size()), c(x.size());
    for (double& v : x) v = uniform(random);
    klingel_sincos(n, x.data(), s.data(), c.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(s[i], klingel_sin(x[i]));
      EXPECT_EQ(c[i], klingel_cos(x[i]));
    }
  }
}

// Four small angles take a shorter way than one small angle among large ones.
TEST(Trig, gives_the_same_bits_for_small_angles_among_small_and_among_large_ones) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (int i = 0; i < 100000; ++i) {
    const double scale = i % 3 == 0 ? 0.8 : i % 3 == 1 ? 1e-3 : 1e-160;
    const double x = i < 2 ? (i == 0 ? -0.0 : 0.0) : scale * uniform(random);
    const double small[] = {x, x / 2, -x, x}, mixed[] = {x, 3, -5, NAN};
    double s[4], c[4], s_mixed[4], c_mixed[4];
    klingel_sincos(4, small, s, c);
    klingel_sincos(4, mixed, s_mixed, c_mixed);
    ASSERT_EQ(bits(s[0]), bits(s_mixed[0])) << x;
    ASSERT_EQ(bits(c[0]), bits(c_mixed[0])) << x;
  }
}

TEST(Trig, is_odd_and_even_and_exact_at_zero) {
  EXPECT_EQ(klingel_sin(0.0), 0.0);
  EXPECT_EQ(klingel_cos(0.0), 1.0);
  for (const double x : {1e-300, 0.3, 2.0, 77.7, 1e5}) {
    EXPECT_EQ(klingel_sin(-x), -klingel_sin(x));
    EXPECT_EQ(klingel_cos(-x), klingel_cos(x));
  }
}

TEST(Trig, asks_the_c_library_beyond_the_limit_and_lets_nan_through) {
  const double x[] = {0.5, 1e7, INFINITY, NAN, -3e12};
  double s[5], c[5];
  klingel_sincos(5, x, s, c);
  EXPECT_EQ(s[0], klingel_sin(0.5));
  EXPECT_EQ(s[1], std::sin(1e7));
  EXPECT_EQ(c[4], std::cos(-3e12));
  EXPECT_TRUE(std::isnan(s[2]) && std::isnan(c[2]) && std::isnan(s[3]) && std::isnan(c[3]));
}

}  // namespace
