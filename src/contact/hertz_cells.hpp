// Hertz' ellipses for all ratios of curvatures, as cubics; the numbers do not depend on material or
// load. Exported packages have them as numbers and need no elliptic integrals.
#pragma once

#include <vector>

namespace klingel::contact {

// Cubics in the distance from the left end of a cell of ratio = min(A, B)/max(A, B): major and
// minor axis, approach.
struct HertzCell {
  double m[4], n[4], d[4];
};

inline constexpr double smallest_hertz_ratio = 0x1p-14;  // 6e-5

// Cells are equal within an octave of the ratio, 16 in each (error 4e-8), so that the upper bits of
// the double are the index.
inline constexpr int hertz_cell_shift = 52 - 4;

// From the smallest ratio to 1. Takes about a millisecond.
std::vector<HertzCell> hertz_cells();

}  // namespace klingel::contact
