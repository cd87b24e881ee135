// Measured values brought to points an equal distance apart. Where the new points are farther apart
// than the old ones, waves too short for them are taken out first: they would come back as waves
// that were never there (aliasing). The filter is symmetric, so it shifts nothing: a sinc with
// Blackman's window, half its height at waves of 2.5 distances, less than a thousandth of waves of
// 2 distances and shorter. Beyond its ends the signal is continued by turning it about its end
// points, which keeps slopes.
#pragma once

#include <span>
#include <vector>

namespace klingel::track {

struct Resampled {
  std::vector<double> s, values;
  double removed = 0;  // root mean square of what the filter took away, in the unit of values
};

// Of a spline through (s, values), s ascending; points begin at s.front(). distance > 0 and at
// most a quarter of the length.
Resampled resample(std::span<const double> s, std::span<const double> values, double distance);

}  // namespace klingel::track
