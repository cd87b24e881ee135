#include "contact/place_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace klingel::contact {
namespace {

using Found = UprightWheel::Found;
using Cell = PlaceChart::Cell;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr double same = 1.5e-3;    // m: minima at neighbouring places nearer than this are one
constexpr double higher = 1.5e-4;  // m: minima this much above the lowest are not jumped to
constexpr double alike = 5e-4;     // m: with gaps this near, either flange may be the lowest

const Found* lowest(const UprightWheel::List& list) {
  const Found* best = nullptr;
  for (const Found& m : list) {
    if (m.status != ContactStatus::converged) continue;
    if (best == nullptr || m.gap < best->gap) best = &m;
  }
  return best;
}

// How near the flange is to its rail when the wheel stands on its tread.
float flange_gap(const UprightWheel::Place& place) {
  const Found* tread = lowest(place.tread);
  float least = infinite;
  for (const Found& m : place.flange) {
    if (m.status == ContactStatus::profile_end) continue;
    least = std::min(least, static_cast<float>(tread == nullptr ? 0 : m.gap - tread->gap));
  }
  return least;
}

// Mean places of minima at the corners of a cell.
class Means {
 public:
  void add(const Found& m) {
    for (int i = 0; i < count_; ++i) {
      Sum& sum = sums_[i];
      if (std::abs(sum.u_w / sum.of - m.u_w) > same) continue;
      sum.u_w += m.u_w, sum.u_r += m.u_r, ++sum.of;
      return;
    }
    if (count_ == Cell::capacity)
      full_ = true;
    else
      sums_[count_++] = {m.u_w, m.u_r, 1};
  }
  int take(PlaceChart::Pair* pairs) const {
    for (int i = 0; i < count_; ++i)
      pairs[i] = {static_cast<float>(sums_[i].u_w / sums_[i].of),
                  static_cast<float>(sums_[i].u_r / sums_[i].of)};
    return full_ ? 0 : count_;
  }

 private:
  struct Sum {
    double u_w = 0, u_r = 0;
    int of = 0;
  };
  Sum sums_[Cell::capacity];
  int count_ = 0;
  bool full_ = false;
};

Cell cell_between(const UprightWheel& upright, int roll, int place) {
  Cell cell;
  Means tread, flange;
  for (int i = 0; i < 4; ++i) {
    const UprightWheel::Place& corner = upright.at(roll + i / 2, place + i % 2);
    const auto add = [](const UprightWheel::List& list, Means& to, double above) {
      const Found* best = lowest(list);
      for (const Found& m : list) {
        if (m.status == ContactStatus::converged && m.gap <= best->gap + above) to.add(m);
      }
    };
    add(corner.tread, tread, higher);
    add(corner.flange, flange, alike);
  }
  cell.treads = tread.take(cell.tread);
  PlaceChart::Pair pairs[Cell::capacity];
  cell.has_flange = flange.take(pairs) == 1;
  cell.flange = pairs[0];
  return cell;
}

}  // namespace

PlaceChart::PlaceChart(const UprightWheel& upright)
    : wheel_(&upright.wheel()),
      rail_(&upright.rail()),
      begin_y_(upright.offset() - UprightWheel::most_y),
      f_0_(wheel_->f_w.value(0)) {
  constexpr int around_y = 7, around_roll = 1;
  std::vector<float> gaps, near(UprightWheel::places);
  for (int roll = 0; roll < UprightWheel::rolls; ++roll)
    for (int place = 0; place < UprightWheel::places; ++place)
      gaps.push_back(flange_gap(upright.at(roll, place)));
  cells_.reserve(static_cast<std::size_t>(cells_roll * cells_y));
  for (int roll = 0; roll < cells_roll; ++roll) {
    std::fill(near.begin(), near.end(), infinite);
    for (int i = std::max(roll - around_roll, 0);
         i <= std::min(roll + 1 + around_roll, UprightWheel::rolls - 1); ++i) {
      const float* row = &gaps[static_cast<std::size_t>(i * UprightWheel::places)];
      std::transform(near.begin(), near.end(), row, near.begin(),
                     [](float a, float b) { return std::min(a, b); });
    }
    for (int place = 0; place < cells_y; ++place) {
      Cell cell = cell_between(upright, roll, place);
      const auto first = near.begin() + std::max(place - around_y, 0);
      const auto last = near.begin() + std::min(place + 1 + around_y, UprightWheel::places - 1);
      cell.flange_gap = *std::min_element(first, last + 1);
      cells_.push_back(cell);
    }
  }
}

const PlaceChart::Cell* PlaceChart::find(double u_w, double u_r) const noexcept {
  // the wheel's profile hangs down: its slope is -df_w
  const spline::CubicPiece& w = wheel_->f_w.piece(u_w);
  const double m_w = w.derivative(u_w), m_r = rail_->f_r.derivative(u_r);
  const double roll = (m_r + m_w) / (1 - m_r * m_w);
  // a wheel rolls about its lowest point, which moves the others sideways
  const double y = u_r - u_w - roll * (w.value(u_w) - f_0_);
  const double i = (roll + UprightWheel::most_roll) / UprightWheel::step_roll;
  const double k = (y - begin_y_) / UprightWheel::step_y;
  if (!(i >= 0 && i < cells_roll && k >= 0 && k < cells_y)) return nullptr;
  return &cells_[static_cast<std::size_t>(static_cast<int>(i) * cells_y + static_cast<int>(k))];
}

}  // namespace klingel::contact
