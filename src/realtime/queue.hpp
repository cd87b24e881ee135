// A queue from one thread to one other, without locks. The writer never waits: what does not fit is
// dropped and counted.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace klingel::realtime {

// Of rows with `width` elements each. Allocates only here.
template <class T>
class Queue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Queue(std::size_t rows, std::size_t width = 1)
      : rows_(std::bit_ceil(rows)), width_(width), memory_(rows_ * width) {}

  // By the writing thread; false if the row was dropped.
  bool push(std::span<const T> row) noexcept {
    const std::size_t written = written_.load(std::memory_order_relaxed);
    if (written - read_.load(std::memory_order_acquire) == rows_) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    std::copy_n(row.begin(), width_, &memory_[(written & (rows_ - 1)) * width_]);
    written_.store(written + 1, std::memory_order_release);
    return true;
  }
  bool push(const T& one) noexcept { return push(std::span<const T>(&one, 1)); }

  // By the reading thread; false if there is none.
  bool pop(std::span<T> row) noexcept {
    const std::size_t read = read_.load(std::memory_order_relaxed);
    if (read == written_.load(std::memory_order_acquire)) return false;
    std::copy_n(&memory_[(read & (rows_ - 1)) * width_], width_, row.begin());
    read_.store(read + 1, std::memory_order_release);
    return true;
  }
  bool pop(T& one) noexcept { return pop(std::span<T>(&one, 1)); }

  std::int64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  const std::size_t rows_, width_;
  std::vector<T> memory_;
  // on lines of their own: the threads would disturb each other
  alignas(64) std::atomic<std::size_t> written_ = 0;
  alignas(64) std::atomic<std::size_t> read_ = 0;
  alignas(64) std::atomic<std::int64_t> dropped_ = 0;
};

}  // namespace klingel::realtime
