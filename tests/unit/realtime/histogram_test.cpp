// Subject: realtime/histogram. Claim: percentiles are those of a sorted list to 1.6 %, extremes are
// exact, negative values have their place, and no value is out of range.
#include "realtime/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace klingel::realtime {
namespace {

TEST(histogram, has_percentiles_of_a_sorted_list) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> times(10, 2);
  Histogram h;
  std::vector<std::int64_t> sorted;
  for (int i = 0; i < 20'000; ++i) {
    sorted.push_back(static_cast<std::int64_t>(times(random)) - 500);
    h.add(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end());
  for (const double share : {0.0005, 0.01, 0.5, 0.9, 0.99, 0.999, 0.9999}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * 20'000)) - 1;
    const auto right = static_cast<double>(sorted[rank]);
    EXPECT_NEAR(static_cast<double>(h.percentile(share)), right, 0.017 * std::abs(right)) << share;
  }
  EXPECT_EQ(h.least(), sorted.front());
  EXPECT_EQ(h.most(), sorted.back());
  EXPECT_EQ(h.percentile(1), sorted.back());
}

TEST(histogram, bars_hold_their_values) {
  for (const std::int64_t v : {0LL, 1LL, 63LL, 64LL, 127LL, 128LL, 255LL, 256LL, 1'000'000LL,
                               123'456'789LL, -1LL, -64LL, -129LL, -1'000'000LL}) {
    Histogram h;
    h.add(v);
    ASSERT_EQ(h.bars().size(), 1u);
    EXPECT_LE(h.bars()[0].from, v);
    EXPECT_GT(h.bars()[0].to, v);
    EXPECT_EQ(h.percentile(0.5), v);
  }
}

TEST(histogram, takes_any_value) {
  Histogram h;
  EXPECT_EQ(h.percentile(0.5), 0);
  h.add(std::numeric_limits<std::int64_t>::max());
  h.add(-(std::int64_t{1} << 60));
  EXPECT_EQ(h.count(), 2);
  EXPECT_EQ(h.most(), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace klingel::realtime
