// Numbers of one vehicle in memory that it shares with others: every `stride`-th one is its own.
#pragma once

#include <cstddef>

namespace klingel::runtime {

template <class T>
struct Column {
  T* first = nullptr;
  std::size_t stride = 1;

  T& operator[](std::size_t i) const { return first[i * stride]; }
  Column from(std::size_t i) const { return {first + i * stride, stride}; }
};

}  // namespace klingel::runtime
