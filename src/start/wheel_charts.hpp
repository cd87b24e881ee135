// Gives the wheels of a vehicle the charts of loaded contact. Wheels with the same profile on the
// same rail profile share charts if their static loads differ by less than a sixth: the width eps
// of the contact is then that of their mean load, some per cent off. Used before the first step;
// allocates.
#pragma once

#include <vector>

#include "contact/loaded_pair.hpp"
#include "step/vehicle_data.hpp"

namespace klingel::start {

struct ChartCosts {
  std::size_t pairs = 0, bytes = 0;
};

// loads: static, N, by wheel (static_loads.hpp). choice: of all wheels, in the coordinates of a
// left wheel.
ChartCosts give_charts(step::VehicleData& data, const std::vector<double>& loads,
                       const contact::SheetChoice& choice = {});

// Rail profiles at a place along the track, as data.left.f_r and data.right.f_r are.
struct RailProfiles {
  double s;
  spline::CubicSpline left, right;
};
// The same where rail profiles change along the track: two or more, ascending.
ChartCosts give_charts(step::VehicleData& data, const std::vector<RailProfiles>& rails,
                       const std::vector<double>& loads, contact::SheetChoice choice);

}  // namespace klingel::start
