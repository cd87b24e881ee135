// From which lateral place on a wheel may have a second minimum of the gap on its flange. Found
// once, on a straight rail, for the rolls a wheel can take, so that a step need not search the
// flanges of wheels that run in the middle of the track. Coarse, and rather too early than too
// late.
#pragma once

#include "contact/upright_wheel.hpp"

namespace klingel::contact {

class FlangeReach {
 public:
  FlangeReach() = default;
  explicit FlangeReach(const UprightWheel& upright);

  // For a wheel whose tread touches at s.
  bool near(const ContactCoordinates& s) const noexcept { return shift(s) >= least_; }

  // The same for four wheels: side (u_r - u_w) >= least.
  double side() const noexcept { return side_; }
  double least() const noexcept { return least_; }

 private:
  // how far the wheel stands towards its flange: where it touches, u_r - u_w is its lateral place
  double shift(const ContactCoordinates& s) const noexcept { return side_ * (s.u_r - s.u_w); }

  double side_ = 1;
  double least_ = -1;  // m: always
};

}  // namespace klingel::contact
