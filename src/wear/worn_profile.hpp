// A profile less the material it has lost.
#pragma once

#include "profile/profile.hpp"
#include "wear/wear_map.hpp"

namespace klingel::wear {

// z is down: a wheel's radius and a rail's height become smaller by the depth. The depth is a C2
// spline with knots 1 mm apart, so the result is one too, exactly the old profile where nothing is
// lost. A wheel whose taping line wears gets a smaller z there: its radius counts from the old one.
profile::Profile worn(const profile::Profile& profile, const WearMap& lost,
                      const std::string& name);

}  // namespace klingel::wear
