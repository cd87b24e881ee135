// A function given by points: linear between them, constant before the first and after the last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace klingel::base {

// `x` ascends; as many values as points, at least one.
inline double piecewise_linear(const std::vector<double>& x, const std::vector<double>& values,
                               double at) {
  if (at <= x.front()) return values.front();
  const auto next = std::upper_bound(x.begin(), x.end(), at);
  if (next == x.end()) return values.back();
  const auto i = static_cast<std::size_t>(next - x.begin());
  const double part = (at - x[i - 1]) / (x[i] - x[i - 1]);
  return values[i - 1] + part * (values[i] - values[i - 1]);
}

}  // namespace klingel::base
