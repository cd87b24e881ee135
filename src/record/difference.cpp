#include "record/difference.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/piecewise_linear.hpp"

namespace klingel::record {
namespace {

std::vector<double> axis_of(const Recording& r, const std::string& over) {
  const std::span<const double> column = r.column(over);
  std::vector<double> axis(column.begin(), column.end());
  if (axis.size() < 2) base::fail("a run with {} rows cannot be compared", axis.size());
  for (std::size_t i = 1; i < axis.size(); ++i)
    if (!(axis[i] > axis[i - 1]))
      base::fail("'{}' does not rise in row {}: {} after {}; compare over another channel", over,
                 i + 1, axis[i], axis[i - 1]);
  return axis;
}

bool has(const Recording& r, const std::string& name) {
  return std::any_of(r.channels().begin(), r.channels().end(),
                     [&](const Channel& c) { return c.name == name; });
}

}  // namespace

std::vector<Difference> differences(const Recording& a, const Recording& b, const std::string& over,
                                    const std::vector<std::string>& patterns) {
  const std::vector<double> x = axis_of(a, over), y = axis_of(b, over);
  const double begin = std::max(x.front(), y.front()), end = std::min(x.back(), y.back());
  if (!(begin < end))
    base::fail("the runs have no part of '{}' in common: {:g} to {:g}, and {:g} to {:g}", over,
               x.front(), x.back(), y.front(), y.back());
  std::vector<Channel> common;
  for (const Channel& c : a.channels())
    if (c.name != over && has(b, c.name)) common.push_back(c);
  std::vector<Difference> result;
  for (const std::size_t k : select(common, patterns)) {
    const std::span<const double> u = a.column(common[k].name), w = b.column(common[k].name);
    const std::vector<double> other(w.begin(), w.end());
    Difference d{common[k].name, common[k].unit};
    double low = INFINITY, high = -INFINITY, squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < begin || x[i] > end) continue;
      const double v = base::piecewise_linear(y, other, x[i]), off = v - u[i];
      if (!std::isfinite(off)) continue;
      ++d.rows;
      d.mean_a += u[i], d.mean_b += v, squares += off * off;
      low = std::min(low, u[i]), high = std::max(high, u[i]);
      if (std::abs(off) > d.largest) d.largest = std::abs(off), d.at = x[i];
    }
    if (d.rows > 0) {
      const auto n = static_cast<double>(d.rows);
      d.mean_a /= n, d.mean_b /= n, d.rms = std::sqrt(squares / n), d.range = high - low;
    }
    result.push_back(std::move(d));
  }
  return result;
}

}  // namespace klingel::record
