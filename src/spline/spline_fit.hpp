// Cubic splines through points (or near them) and through functions: continuous up to the second
// derivative, because contact mechanics needs curvature. Knots may be spaced unevenly. The systems
// of equations are banded and solved here. Setup only: everything allocates.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "spline/cubic_spline.hpp"

namespace klingel::spline {

// What determines the spline at an end: the third derivative is continuous at the first inner
// point (not_a_knot), the second derivative is zero (natural), or the slope is given (clamped).
struct SplineEnd {
  enum Kind { not_a_knot, natural, clamped };
  Kind kind = not_a_knot;
  double slope = 0;  // of a clamped end
};

// The spline through the points (x[i], y[i]), with x as its knots. Needs two points, three with a
// natural end, four with a not_a_knot end. Numbers that are not finite, x that do not ascend and
// too few points are an Error.
CubicSpline interpolate(std::span<const double> x, std::span<const double> y, SplineEnd left = {},
                        SplineEnd right = {});

// The natural spline g with knots x that minimises
//
//   sum_i weights[i] (y[i] - g(x[i]))^2 + lambda integral g''^2      (Reinsch)
//
// lambda = 0 interpolates, a large one gives the straight line of least squares. Weights are
// positive; an empty list means 1 for all. Errors as in interpolate, and for a negative lambda.
CubicSpline smooth(std::span<const double> x, std::span<const double> y,
                   std::span<const double> weights, double lambda);

// The value and slope of a function.
struct ValueAndSlope {
  double value = 0, slope = 0;
};

// A spline that follows f between the first and the last of `breaks` to within `tolerance`. Breaks
// become knots, more are put in where needed, neighbouring intervals differing at most by a factor
// of about four. f must be continuous with a continuous slope; if it is not, Error.
//
// At inner breaks the second derivative of f may jump, as between two arcs. A C2 spline would ring
// there, so the jump is first led over linearly, within a width so short that it moves the curve by
// `rounding` at most (the part on the far side of u = 0 by a constant). With rounding = 0 it rings.
CubicSpline follow(const std::function<ValueAndSlope(double)>& f, std::vector<double> breaks,
                   double tolerance, double rounding = 0);

}  // namespace klingel::spline
