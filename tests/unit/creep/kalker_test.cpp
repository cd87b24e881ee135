// Kalker's coefficients: printed values at the nodes, what interpolation promises between them, the
// limits of thin ellipses beyond.
#include "creep/kalker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace klingel::creep {
namespace {

using std::numbers::pi;
using enum KalkerInterpolation;

// Rows of the printed table, not from our source: a, b, Poisson, c11, c22, c23, c33.
struct Printed {
  double a, b, poisson, c11, c22, c23, c33;
};
constexpr Printed printed[] = {
    {0.1, 1, 0, 2.51, 2.51, 0.334, 6.42},    {0.1, 1, 0.5, 4.85, 2.53, 0.731, 11.7},
    {0.3, 1, 0.25, 3.44, 2.75, 0.715, 2.96}, {0.5, 1, 0.25, 3.62, 3.01, 0.929, 1.93},
    {0.7, 1, 0.5, 4.97, 3.48, 1.29, 1.60},   {0.9, 1, 0, 3.29, 3.29, 1.23, 1.27},
    {1, 1, 0, 3.40, 3.40, 1.33, 1.21},       {1, 1, 0.25, 4.12, 3.67, 1.47, 1.19},
    {1, 1, 0.5, 5.20, 3.98, 1.63, 1.16},     {1, 0.9, 0.25, 4.22, 3.81, 1.59, 1.11},
    {1, 0.7, 0.25, 4.54, 4.21, 1.95, 0.965}, {1, 0.5, 0.25, 5.10, 4.90, 2.62, 0.819},
    {1, 0.3, 0.5, 7.34, 7.51, 5.01, 0.446},  {1, 0.2, 0, 6.96, 6.96, 5.72, 0.828},
    {1, 0.1, 0.25, 11.7, 12.8, 14.6, 0.526}, {1, 0.1, 0.5, 12.9, 16.0, 18.0, 0.228}};

TEST(kalker, nodes_are_the_printed_values) {
  for (const Printed& row : printed) {
    for (const KalkerInterpolation how : {smooth, linear}) {
      // scaled axes: only the ratio counts
      const KalkerCoefficients c = KalkerTable(row.poisson, how).at(7e-3 * row.a, 7e-3 * row.b);
      EXPECT_NEAR(c.c11, row.c11, 1e-9) << row.a << " " << row.b << " " << row.poisson;
      EXPECT_NEAR(c.c22, row.c22, 1e-9);
      EXPECT_NEAR(c.c23, row.c23, 1e-9);
      EXPECT_NEAR(c.c33, row.c33, 1e-9);
    }
  }
}

TEST(kalker, linear_means_linear_in_poisson_and_in_the_ratio_below_one) {
  // halfway between four nodes: their mean, from the printed rows
  const KalkerCoefficients below = KalkerTable(0.125, linear).at(0.45, 1);
  EXPECT_NEAR(below.c11, (2.78 + 3.53 + 2.88 + 3.62) / 4, 1e-12);
  EXPECT_NEAR(below.c33, (2.02 + 2.32 + 1.74 + 1.93) / 4, 1e-12);
  const KalkerCoefficients above = KalkerTable(0.375, linear).at(1, 0.15);
  EXPECT_NEAR(above.c22, (8.14 + 9.79 + 12.8 + 16.0) / 4, 1e-12);
  EXPECT_NEAR(above.c23, (6.63 + 7.89 + 14.6 + 18.0) / 4, 1e-12);
}

TEST(kalker, linear_is_constant_beyond_the_table) {
  const KalkerTable table(0.27, linear);
  EXPECT_EQ(table.at(1, 0.1).c11, table.at(1, 0.01).c11);
  EXPECT_EQ(table.at(0.1, 1).c33, table.at(0.01, 1).c33);
}

TEST(kalker, smooth_values_stay_between_their_neighbours) {
  // c22, c23 rise and c33 falls with a/b at every Poisson's ratio; beyond the table too
  for (const double poisson : {0.0, 0.1, 0.27, 0.5}) {
    const KalkerTable table(poisson);
    KalkerCoefficients before = table.at(1e-3, 1);
    for (int i = -2999; i <= 3000; ++i) {
      const KalkerCoefficients c = table.at(std::pow(10.0, i * 1e-3), 1);
      EXPECT_GE(c.c22, before.c22) << i << " " << poisson;
      EXPECT_GT(c.c23, before.c23) << i << " " << poisson;
      EXPECT_LE(c.c33, before.c33) << i << " " << poisson;
      before = c;
    }
  }
}

TEST(kalker, smooth_has_no_kinks_at_nodes_circle_and_ends) {
  const KalkerTable table(0.28);
  for (const double ratio : {0.1, 0.2, 0.6, 0.9, 1.0, 1 / 0.9, 2.0, 5.0, 10.0}) {
    const auto slopes = [&](double KalkerCoefficients::*c) {
      const double h = 1e-6 * ratio, at = table.at(ratio, 1).*c;
      const double left = (at - table.at(ratio - h, 1).*c) / h;
      const double right = (table.at(ratio + h, 1).*c - at) / h;
      // differences of 1e-6 resolve a slope to about 1e-4 of the value
      EXPECT_NEAR(left, right, 1e-3 * (std::abs(left) + at)) << ratio;
    };
    slopes(&KalkerCoefficients::c11);
    slopes(&KalkerCoefficients::c22);
    slopes(&KalkerCoefficients::c23);
    slopes(&KalkerCoefficients::c33);
  }
}

TEST(kalker, thin_ellipses_go_to_kalkers_limits) {
  const double poisson = 0.25;
  const KalkerTable table(poisson);
  const KalkerCoefficients wide = table.at(1e-4, 1);
  // the table is 3 % from the limit at 0.1, linear in a/b from there: 1e-4 leaves 3e-5
  EXPECT_NEAR(wide.c11, pi * pi / (4 * (1 - poisson)), 1e-3);
  EXPECT_NEAR(wide.c22, pi * pi / 4, 1e-3);
  EXPECT_NEAR(wide.c33 * 1e-4, pi * pi / (16 * (1 - poisson)), 1e-3);
  // a long one: 2 pi/(g L) at leading order with L = ln(16/g^2), and a few per cent from the table
  const double g = 1e-4, L = std::log(16 / (g * g));
  const KalkerCoefficients narrow = table.at(1, g);
  EXPECT_NEAR(narrow.c11 * g * (L - 2 * poisson) / (2 * pi), 1, 0.12);
  EXPECT_NEAR(narrow.c33, pi / 4 * (1 - poisson / (1 - poisson)), 0.05);
}

TEST(kalker, smooth_and_linear_differ_little) {
  // the table's own spacing: neighbours differ by up to 50 %, chords are off by a few per cent
  const KalkerTable curved(0.28), straight(0.28, linear);
  double worst = 0;
  for (int i = -100; i <= 100; ++i) {
    const double ratio = std::pow(10.0, i / 100.0);
    const KalkerCoefficients c = curved.at(ratio, 1), d = straight.at(ratio, 1);
    for (const double r : {c.c11 / d.c11, c.c22 / d.c22, c.c23 / d.c23, c.c33 / d.c33})
      worst = std::max(worst, std::abs(r - 1));
  }
  EXPECT_LT(worst, 0.15);
  EXPECT_GT(worst, 0.001);
}

TEST(kalker, impossible_materials_are_refused) {
  EXPECT_THROW(KalkerTable(-0.1), base::Error);
  EXPECT_THROW(KalkerTable(NAN), base::Error);
}

}  // namespace
}  // namespace klingel::creep
