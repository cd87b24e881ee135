#include "wheelrail/jump_map.hpp"

#include <algorithm>
#include <cmath>

#include "wheelrail/upright_wheel.hpp"

namespace klingel::wheelrail {
namespace {

constexpr Interval nowhere{1, -1};
// around the rivals that were found, m: between the rolls tried they move by some millimetres
constexpr double margin = 4e-3;

}  // namespace

JumpMap::JumpMap(const ContactSearch& search, const Interval& tread, double offset) {
  const CubicSpline& f_w = search.wheel().f_w;
  begin_ = f_w.begin();
  cells_.assign(static_cast<std::size_t>((f_w.end() - f_w.begin()) / cell) + 1, nowhere);

  for_each_place(search, offset, [&](const WheelPose& pose, double s) {
    const MinimumList list = search.minima(pose, s, tread);
    for (const Minimum& a : list) {
      for (const Minimum& b : list) {
        if (&a == &b || a.status == ContactStatus::profile_end ||
            b.status == ContactStatus::profile_end || std::abs(a.point.gap - b.point.gap) > rivalry)
          continue;
        // neighbours too: places between those tried
        const auto i = static_cast<std::ptrdiff_t>((a.point.s.u_w - begin_) / cell);
        for (std::ptrdiff_t k = i - 2; k <= i + 2; ++k) {
          if (k < 0 || k >= static_cast<std::ptrdiff_t>(cells_.size())) continue;
          Interval& at_cell = cells_[static_cast<std::size_t>(k)];
          const Interval found{std::max(tread.low, b.point.s.u_w - margin),
                               std::min(tread.high, b.point.s.u_w + margin)};
          const bool first = at_cell.low > at_cell.high;
          at_cell = first ? found
                          : Interval{std::min(at_cell.low, found.low),
                                     std::max(at_cell.high, found.high)};
        }
      }
    }
  });
}

Interval JumpMap::rivals(double u_w) const noexcept {
  const double at = (u_w - begin_) / cell;
  if (!(at >= 0 && at < static_cast<double>(cells_.size()))) return nowhere;
  return cells_[static_cast<std::size_t>(at)];
}

}  // namespace klingel::wheelrail
