// Rails that were surveyed or computed elsewhere, point by point, and the centre line between them.
#pragma once

#include <vector>

#include "track/alignment.hpp"

namespace klingel::track {

struct RailPoint {
  double x = 0, y = 0, z = 0;  // m
  double cant = 0;             // rad, of the rail's section: left side up
};

struct RailPoints {
  std::vector<double> s;  // abscissa of both, ascending, m
  std::vector<RailPoint> left, right;
};

// Rails on both sides of a centre line given by points, d apart: C +- d/2 (cos th c_h + sin th
// e_z).
RailPoints rails_along(const std::vector<double>& s, const std::vector<RailPoint>& centre,
                       double distance);

struct CentreBetween {
  std::vector<CentrePoint> points;
  std::vector<double> distance;  // of the rails, m
};

// The middle of both rails, its direction and curvature from splines through it, its cant from the
// heights of the rails. Fewer than four points, numbers that are not finite, an abscissa that does
// not ascend and rails that do not lie side by side are an Error.
CentreBetween centre_between(const RailPoints& rails);

}  // namespace klingel::track
