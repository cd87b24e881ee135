// Cycles of the example that explains the counting in ASTM E1049, and what spectra keep.
#include "wear/rainflow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace klingel::wear {
namespace {

TEST(rainflow, counts_the_cycles_of_the_example_of_the_standard) {
  const double values[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
  std::map<double, double> by_range;
  for (const LoadCycle& c : rainflow(values)) by_range[c.range] += c.count;
  const std::map<double, double> expected{{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1}, {9, 0.5}};
  EXPECT_EQ(by_range, expected);
  // (0.5 3^5 + 1.5 4^5 + 0.5 6^5 + 8^5 + 0.5 9^5) / 4 = 16959.5
  EXPECT_NEAR(equivalent_range(rainflow(values), 5), std::pow(16959.5, 0.2), 1e-9);
}

TEST(rainflow, a_sine_has_as_many_cycles_as_periods_whatever_the_rows) {
  for (const int rows : {400, 4001}) {
    std::vector<double> x;
    for (int i = 0; i < rows; ++i) x.push_back(7 * std::sin(2 * M_PI * 10 * i / (rows - 1.0)));
    double cycles = 0;
    for (const LoadCycle& c : rainflow(x))
      if (c.range > 13.9) cycles += c.count;
    EXPECT_NEAR(cycles, 9.5, 0.6) << rows;
  }
}

TEST(rainflow, spectra_keep_all_cycles_and_the_damage_of_equal_ones) {
  std::vector<LoadCycle> cycles(10, {4.0, 1.0, 1.0});
  const LoadSpectrum s = load_spectrum(cycles, 200);
  EXPECT_DOUBLE_EQ(s.cycles, 10);
  EXPECT_DOUBLE_EQ(s.exceedings[0], 10);
  EXPECT_DOUBLE_EQ(s.largest, 4);
  EXPECT_DOUBLE_EQ(equivalent_range(cycles, 5), 4);
}

TEST(rainflow, nothing_has_no_cycles) {
  EXPECT_TRUE(rainflow({}).empty());
  const double constant[] = {3, 3, 3, NAN};
  EXPECT_TRUE(rainflow(constant).empty());
  EXPECT_EQ(equivalent_range({}, 3), 0);
}

}  // namespace
}  // namespace klingel::wear
