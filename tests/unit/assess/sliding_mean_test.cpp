#include "assess/sliding_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "assess/spread.hpp"

namespace klingel::assess {
namespace {

struct Mean {
  double value, t;
};

// values f(s) every ds m, 10 m/s
template <class F>
std::vector<Mean> means(double ds, double length, const F& f, double window = 2) {
  SlidingMean mean(window);
  std::vector<Mean> found;
  double before = 0;
  for (int i = 0; i * ds <= length; ++i) {
    const double s = i * ds;
    mean.add(s / 10, s - before, f(s), [&](double m, double t) { found.push_back({m, t}); });
    before = s;
  }
  return found;
}

TEST(sliding_mean, of_a_ramp_is_the_ramp) {
  for (const double ds : {0.013, 0.1, 0.7}) {
    const std::vector<Mean> found = means(ds, 20, [](double s) { return 3 * s + 1; });
    ASSERT_GT(found.size(), 150u);
    for (const Mean& m : found) EXPECT_NEAR(m.value, 3 * 10 * m.t + 1, 1e-6);
  }
}

TEST(sliding_mean, of_a_peak_spreads_it_over_the_window) {
  // a triangle of area 0.1
  double largest = 0;
  for (const Mean& m : means(0.1, 20, [](double s) { return std::abs(s - 10) < 0.05 ? 1.0 : 0.0; }))
    largest = std::max(largest, m.value);
  EXPECT_NEAR(largest, 0.05, 1e-9);
}

TEST(sliding_mean, a_run_shorter_than_the_window_has_none) {
  EXPECT_TRUE(means(0.1, 1.9, [](double) { return 1; }).empty());
  EXPECT_FALSE(means(0.1, 2.2, [](double) { return 1; }).empty());
}

TEST(sliding_mean, what_is_undefined_does_not_count) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // in the air from 5 to 5.5 m: the mean is that of the rest
  for (const Mean& m : means(0.01, 10, [&](double s) { return s > 5 && s < 5.5 ? nan : 0.4; }))
    EXPECT_NEAR(m.value, 0.4, 1e-9);
  // a window that is mostly in the air has none
  bool during = false;
  for (const Mean& m : means(0.01, 20, [&](double s) { return s > 8 && s < 12 ? nan : 0.4; }))
    during = during || (m.t > 0.9 && m.t < 1.1);
  EXPECT_FALSE(during);
}

TEST(spread, median_is_right_to_a_thousandth_of_the_largest) {
  Spread s;
  EXPECT_FALSE(s.median());
  for (int i = 0; i <= 1000; ++i) s.add(-200 + i);  // -200 ... 800
  EXPECT_NEAR(*s.median(), 300, 1);
  EXPECT_NEAR(*s.quantile(0.9), 700, 1);
  Spread zero;
  zero.add(0);
  EXPECT_NEAR(*zero.median(), 0, 1e-12);
  Spread growing;
  for (int i = 0; i < 10; ++i) growing.add(1e-6);
  growing.add(1e6);
  EXPECT_NEAR(*growing.median(), 0, 1e3);
}

}  // namespace
}  // namespace klingel::assess
