// Where a piece of a spline holds: from its knot to the next one, and without end at both ends of
// the spline, where the first and the last piece are continued.
#pragma once

#include <limits>

#include "spline/cubic_spline.hpp"

namespace klingel::spline {

struct PieceRange {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();
};

inline PieceRange piece_range(const CubicSpline& f, std::size_t i) {
  PieceRange range;
  if (i > 0) range.begin = f.knots()[i];
  if (i + 1 < f.pieces().size()) range.end = f.knots()[i + 1];
  return range;
}

}  // namespace klingel::spline
