#include "contact/jump_map.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::contact {
namespace {

constexpr Interval nowhere{1, -1};
// m, around the minima that were found: where profiles fit each other they move fast
constexpr double margin = 4e-3;
constexpr double apart = 1e-3;    // m: nearer minima are the same, a little further on
constexpr double most_y = 0.016;  // m, from the middle of the track

using Found = UprightWheel::Found;

bool regular(const Found& m) { return m.status != ContactStatus::profile_end; }

}  // namespace

JumpMap::JumpMap(const UprightWheel& upright)
    : wheel_(&upright.wheel()),
      rail_(&upright.rail()),
      begin_(upright.offset() - most_y),
      places_(static_cast<int>(2 * most_y / cell_y) + 1),
      cells_(static_cast<std::size_t>(places_ * rolls), nowhere) {
  const Interval& tread = upright.tread();
  for (int roll = 0; roll < UprightWheel::rolls; ++roll) {
    const Found* last = nullptr;
    for (int place = 0; place < UprightWheel::places; ++place) {
      const UprightWheel::List& list = upright.at(roll, place).tread;
      const Found* lowest = nullptr;
      for (const Found& a : list) {
        if (!regular(a)) continue;
        if (lowest == nullptr || a.gap < lowest->gap) lowest = &a;
        for (const Found& b : list) {
          if (&a != &b && regular(b) && std::abs(a.gap - b.gap) <= near) mark(a, b, tread);
        }
      }
      // two minima may be there together between two places only
      if (lowest != nullptr && last != nullptr && std::abs(lowest->u_w - last->u_w) > apart) {
        mark(*last, *lowest, tread);
        mark(*lowest, *last, tread);
      }
      last = lowest;
    }
  }
}

// cells around the contact `at` know of the other one; around it, for places between those tried
void JumpMap::mark(const Found& at, const Found& other, const Interval& tread) {
  const Key key = key_of(at.u_w, at.u_r);
  const double low = std::max(tread.low, other.u_w - margin);
  const double high = std::min(tread.high, other.u_w + margin);
  for (int y = std::max(key.y - 1, 0); y <= std::min(key.y + 1, places_ - 1); ++y) {
    for (int roll = std::max(key.roll - 1, 0); roll <= std::min(key.roll + 1, rolls - 1); ++roll) {
      Interval& cell = cells_[static_cast<std::size_t>(y * rolls + roll)];
      const bool first = cell.low > cell.high;
      cell = {first ? low : std::min(cell.low, low), first ? high : std::max(cell.high, high)};
    }
  }
}

JumpMap::Key JumpMap::key_of(double u_w, double u_r) const noexcept {
  // the wheel's profile hangs down: its slope is -df_w
  const double m_w = wheel_->f_w.derivative(u_w), m_r = rail_->f_r.derivative(u_r);
  const double roll = (m_r + m_w) / (1 - m_r * m_w);
  const auto cell = [](double x, int last) {
    return x > 0 ? std::min(static_cast<int>(std::min(x, 1e6)), last) : 0;
  };
  return {cell((u_r - u_w - begin_) / cell_y, places_ - 1),
          cell((roll + most_roll) / cell_roll, rolls - 1)};
}

Interval JumpMap::others(double u_w, double u_r) const noexcept {
  const Key at = key_of(u_w, u_r);
  return cells_[static_cast<std::size_t>(at.y * rolls + at.roll)];
}

}  // namespace klingel::contact
