#include "contact/flange_reach.hpp"

#include <algorithm>

namespace klingel::contact {

FlangeReach::FlangeReach(const UprightWheel& upright) {
  constexpr double margin = 1.5e-3;  // m: yaw and curvature bring a flange nearer
  constexpr double far = 8e-3;       // m: a minimum this far from the rail is none yet
  // the flange of a right wheel is on its left
  side_ = upright.flange().low > upright.tread().low ? -1 : 1;
  double least = 1;
  const auto converged = [](const UprightWheel::Found& m) {
    return m.status == ContactStatus::converged;
  };
  for (int roll = 0; roll < UprightWheel::rolls; ++roll) {
    for (int k = 0; k < UprightWheel::places; ++k) {
      const UprightWheel::Place& place = upright.at(roll, k);
      const bool exists = std::any_of(place.flange.begin(), place.flange.end(),
                                      [&](const auto& m) { return converged(m) && m.gap < far; });
      if (!exists) continue;
      for (const UprightWheel::Found& m : place.tread)
        if (converged(m)) least = std::min(least, side_ * (m.u_r - m.u_w));
    }
  }
  least_ = least - margin;
}

}  // namespace klingel::contact
