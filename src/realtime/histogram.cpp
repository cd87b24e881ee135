#include "realtime/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace klingel::realtime {

// Below 64 every value has its own bar; above, the first seven binary digits count.
std::size_t Histogram::index_of(std::int64_t size_of_value) noexcept {
  const auto v =
      static_cast<std::uint64_t>(std::min(size_of_value, (std::int64_t{1} << longest_log2) - 1));
  const int shift = std::max(static_cast<int>(std::bit_width(v)) - 1 - steps_log2, 0);
  return (static_cast<std::size_t>(shift) << steps_log2) + static_cast<std::size_t>(v >> shift);
}

std::int64_t Histogram::from(std::size_t index) {
  constexpr std::size_t steps = 1u << steps_log2;
  if (index < 2 * steps) return static_cast<std::int64_t>(index);
  const std::size_t shift = index / steps - 1;
  return static_cast<std::int64_t>((index - shift * steps) << shift);
}

void Histogram::add(std::int64_t value) noexcept {
  least_ = count_ > 0 ? std::min(least_, value) : value;
  most_ = count_ > 0 ? std::max(most_, value) : value;
  ++count_;
  if (value < 0)
    ++below_[index_of(-value)];
  else
    ++above_[index_of(value)];
}

std::int64_t Histogram::percentile(double share) const {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(share * static_cast<double>(count_));
  std::int64_t seen = 0;
  for (const Bar& bar : bars()) {
    seen += bar.count;
    if (static_cast<double>(seen) >= wanted) return std::clamp(bar.to - 1, least_, most_);
  }
  return most_;
}

std::vector<Histogram::Bar> Histogram::bars() const {
  std::vector<Bar> list;
  for (std::size_t i = size; i-- > 0;)
    if (below_[i] > 0) list.push_back({1 - from(i + 1), 1 - from(i), below_[i]});
  for (std::size_t i = 0; i < size; ++i)
    if (above_[i] > 0) list.push_back({from(i), from(i + 1), above_[i]});
  return list;
}

}  // namespace klingel::realtime
