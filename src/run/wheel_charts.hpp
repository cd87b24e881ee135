// Gives the wheels of a vehicle the charts of loaded contact. Wheels with the same profile on the
// same rail profile share charts if their static loads differ by less than a sixth: the width eps
// of the contact is then that of their mean load, some per cent off. Used before the first step;
// allocates.
#pragma once

#include <vector>

#include "run/vehicle.hpp"
#include "wheelrail/loaded_pair.hpp"

namespace klingel::run {

struct ChartCosts {
  std::size_t pairs = 0, bytes = 0;
};

// loads: static, N, by wheel (static_loads.hpp). choice: of all wheels, in the coordinates of a
// left wheel.
ChartCosts give_charts(VehicleData& data, const std::vector<double>& loads,
                       const wheelrail::SheetChoice& choice = {});

}  // namespace klingel::run
