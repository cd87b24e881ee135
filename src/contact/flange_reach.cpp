#include "contact/flange_reach.hpp"

#include <algorithm>
#include <cmath>

#include "contact/upright_wheel.hpp"

namespace klingel::contact {

FlangeReach::FlangeReach(const ContactSearch& search, const Interval& tread, const Interval& flange,
                         double offset) {
  constexpr double margin = 1.5e-3;         // m: yaw and curvature bring a flange nearer
  constexpr double far = 8e-3;              // m: a minimum this far from the rail is none yet
  side_ = flange.low > tread.low ? -1 : 1;  // the flange of a right wheel is on its left
  double least = 1;
  for_each_place(search, offset, [&](const WheelPose& pose, double s, bool) {
    const MinimumList on_flange = search.minima(pose, s, flange);
    const bool exists = std::any_of(on_flange.begin(), on_flange.end(), [](const Minimum& m) {
      return m.status == ContactStatus::converged && m.point.gap < far;
    });
    if (!exists) return;
    for (const Minimum& m : search.minima(pose, s, tread)) {
      if (m.status == ContactStatus::converged) least = std::min(least, shift(m.point.s));
    }
  });
  least_ = least - margin;
}

}  // namespace klingel::contact
