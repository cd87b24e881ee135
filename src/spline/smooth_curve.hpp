// Smoothing of a plane curve given by points, the same for steep and for flat parts.
#pragma once

#include <span>
#include <vector>

namespace klingel::spline {

struct CurvePoints {
  std::vector<double> y, z;
};

// Smooths y and z as functions of the length along the points with one lambda (see smooth in
// spline_fit.hpp), chosen so that the root mean square distance between old and new points is
// `distance` (m, positive), or less if even a straight line is nearer. At least three points, each
// different from the one before.
CurvePoints smooth_curve(const CurvePoints& points, std::span<const double> weights,
                         double distance);

}  // namespace klingel::spline
