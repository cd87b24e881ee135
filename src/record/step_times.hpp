// Run time of the steps: mean, maximum, and quantiles from a histogram whose cells grow by 3 %, so
// that a run of any length needs the same memory.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace klingel::record {

class StepTimes {
 public:
  void add(double seconds) {
    ++count_;
    sum_ += seconds;
    largest_ = std::max(largest_, seconds);
    const double cell = std::log2(std::max(seconds, smallest) / smallest) * per_octave;
    ++cells_[static_cast<std::size_t>(std::min(cell, cells - 1.0))];
  }

  double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }
  double largest() const { return largest_; }

  // The time that a share p of the steps did not exceed, to 3 %.
  double quantile(double p) const {
    double left = p * static_cast<double>(count_);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      left -= static_cast<double>(cells_[i]);
      if (left <= 0 && cells_[i] > 0) {
        const double upper = smallest * std::exp2(static_cast<double>(i + 1) / per_octave);
        return std::min(upper, largest_);
      }
    }
    return largest_;
  }

  // Steps by how long they took: bars that grow by 12 %, from the first to the last that is not
  // empty.
  struct Bar {
    double upper;  // s
    std::int64_t count;
  };
  std::vector<Bar> bars() const {
    constexpr std::size_t merged = 4;
    std::vector<Bar> list;
    for (std::size_t i = 0; i < cells_.size(); i += merged) {
      std::int64_t count = 0;
      for (std::size_t k = i; k < i + merged; ++k) count += cells_[k];
      if (count == 0 && list.empty()) continue;
      list.push_back({smallest * std::exp2(static_cast<double>(i + merged) / per_octave), count});
    }
    while (!list.empty() && list.back().count == 0) list.pop_back();
    return list;
  }

 private:
  static constexpr double smallest = 1e-8, per_octave = 24, cells = 800;  // up to 100 s

  std::array<std::int64_t, static_cast<std::size_t>(cells)> cells_{};
  std::int64_t count_ = 0;
  double sum_ = 0, largest_ = 0;
};

}  // namespace klingel::record
