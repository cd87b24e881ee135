// Where on a wheel's tread another point could touch instead: found once, so that a step needs to
// search only there. Precomputed on a straight rail for the places and rolls a wheel can take; what
// it marks is looked at exactly later, so the map may be coarse but not too narrow.
#pragma once

#include <vector>

#include "contact/upright_wheel.hpp"

namespace klingel::contact {

class JumpMap {
 public:
  // For contacts in the zone of the tread. The surfaces must outlive the map.
  explicit JumpMap(const UprightWheel& upright);

  // Where a contact at u_w and u_r may jump to: another minimum of the gap on the tread that is
  // less than `near` higher or lower. May contain the contact itself. An empty interval (low >
  // high) if there is none.
  Interval others(double u_w, double u_r) const noexcept;

  static constexpr double near = 1e-4;  // m

 private:
  // Where profiles touch, their slopes tell the roll between them and u_r - u_w the lateral place:
  // the cell of both.
  static constexpr double cell_y = 5e-4, cell_roll = 5e-3;  // m, rad
  static constexpr double most_roll = 0.05;
  static constexpr int rolls = 20;
  struct Key {
    int y, roll;
  };
  Key key_of(double u_w, double u_r) const noexcept;
  void mark(const UprightWheel::Found& at, const UprightWheel::Found& other, const Interval& tread);

  const WheelSurface* wheel_ = nullptr;
  const RailSurface* rail_ = nullptr;
  double begin_ = 0;  // of y
  int places_ = 0;
  std::vector<Interval> cells_;
};

}  // namespace klingel::contact
