// How often which time was measured, in the manner of HDR histograms: 64 steps for each power of
// two, so that every value is kept to 1.6 % of itself, in memory that never grows. Values have a
// sign: slack may be negative.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace klingel::realtime {

class Histogram {
 public:
  // Values beyond 18 minutes (2^40 ns) count as that.
  void add(std::int64_t value) noexcept;

  std::int64_t count() const { return count_; }
  std::int64_t least() const { return count_ > 0 ? least_ : 0; }
  std::int64_t most() const { return count_ > 0 ? most_ : 0; }
  // The smallest kept value that at least this share of all values does not exceed, within the
  // exact least and most; 0 without values.
  std::int64_t percentile(double share) const;

  // The bars that are not empty, in order.
  struct Bar {
    std::int64_t from, to;  // values of from <= value < to
    std::int64_t count;
  };
  std::vector<Bar> bars() const;

 private:
  static constexpr int steps_log2 = 6, longest_log2 = 40;
  static constexpr std::size_t size = (longest_log2 - steps_log2 + 1) << steps_log2;
  using Counts = std::array<std::int64_t, size>;

  static std::size_t index_of(std::int64_t size) noexcept;
  static std::int64_t from(std::size_t index);

  Counts below_{}, above_{};  // by size: of negative values, and of the others
  std::int64_t count_ = 0, least_ = 0, most_ = 0;
};

}  // namespace klingel::realtime
