// The static load of every wheel on straight, level track, from the vehicle alone: it stands on
// soft springs under its wheelsets, so no contact needs to be known. Loaded contact takes its width
// from these loads. Used before the first step; allocates.
#pragma once

#include <vector>

#include "step/vehicle_data.hpp"

namespace klingel::start {

// N, by wheel. Needs the vehicle's kernels and wheels only. An Error if the vehicle does not come
// to rest or a wheel carries nothing.
std::vector<double> static_loads(const step::VehicleData& data);

}  // namespace klingel::start
