// How values are spread: a histogram whose range doubles when a value needs it, so that a run of
// any length needs the same memory. Quantiles are right to 1/1024 of the largest value.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace klingel::assess {

class Spread {
 public:
  void add(double x) {
    if (!std::isfinite(x)) return;
    if (range_ == 0 && x != 0) range_ = std::exp2(std::ceil(std::log2(std::abs(x))));
    while (std::abs(x) > range_ && range_ > 0) widen();
    const double place = range_ > 0 ? (x / range_ + 1) / 2 * cells : cells / 2.0;
    std::uint32_t& cell = counts_[static_cast<std::size_t>(std::min(place, cells - 1.0))];
    if (cell == std::numeric_limits<std::uint32_t>::max()) halve();
    ++cell;
    ++count_;
  }

  // The value that a share p of all values does not exceed; nothing without values.
  std::optional<double> quantile(double p) const {
    if (count_ == 0) return {};
    double left = p * static_cast<double>(count_);
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const auto here = static_cast<double>(counts_[i]);
      if (here > 0 && left <= here) {
        const double place = static_cast<double>(i) + left / here;
        return (2 * place / cells - 1) * range_;
      }
      left -= here;
    }
    return range_;
  }
  std::optional<double> median() const { return quantile(0.5); }

 private:
  static constexpr int cells = 4096;

  // pairs of cells become one, around zero in the middle
  void widen() {
    if (count_ > std::numeric_limits<std::uint32_t>::max()) halve();  // room for the sum of two
    std::array<std::uint32_t, cells> wide{};
    for (std::size_t i = 0; i < cells; ++i) wide[cells / 4 + i / 2] += counts_[i];
    counts_ = wide;
    range_ *= 2;
  }

  // A cell is full, after 49 days of steps of 1 ms at the earliest: all values count half.
  void halve() {
    count_ = 0;
    for (std::uint32_t& cell : counts_) count_ += cell /= 2;
  }

  std::array<std::uint32_t, cells> counts_{};  // a train has thousands of these
  std::uint64_t count_ = 0;
  double range_ = 0;
};

}  // namespace klingel::assess
