// The ellipse in which two elastic bodies of the same material touch (Hertz), from the curvatures
// of their surfaces and the normal force. The gap between the surfaces is A x^2 + B y^2, x along
// rolling, y across; a and b are the semi-axes along x and y, whichever is longer:
//
//   A = 1/2 (1/Rw_x + 1/Rr_x)     B = 1/2 (1/Rw_y + 1/Rr_y)
//   a = m c, b = n c, c^3 = 3/2 (1 - poisson^2)/E N/(A + B)      [Hertz]
//   delta = d (A + B) c^2
//
// m, n and d are functions of A/B through complete elliptic integrals, tabulated at setup. Does not
// know profiles or non-elliptic patches.
#pragma once

#include <limits>
#include <vector>

#include "base/pack.hpp"
#include "contact/hertz_cells.hpp"

namespace klingel::contact {

struct Curvatures {
  double A = 0, B = 0;  // 1/m
};

// Radii in m, positive where convex, negative where concave, infinite where flat.
Curvatures curvatures(double Rw_x, double Rw_y, double Rr_x, double Rr_y) noexcept;

struct HertzPatch {
  double a = 0, b = 0;   // semi-axes along rolling and across, m
  double delta = 0;      // approach of the bodies, m
  double N = 0;          // the force, N; 0 where it was negative
  bool valid = false;    // false: A + B <= 0, no contact in a patch; all else is zero
  bool limited = false;  // A or B was raised: to B_floor, or to the end of the table

  double p0() const noexcept;  // peak pressure, Pa; only with N > 0
};

class HertzTable {
 public:
  // Young's modulus in Pa and Poisson's ratio of both bodies. Throws Error outside E > 0,
  // 0 <= poisson <= 0.5. Takes about a millisecond; the table has 21 kB.
  HertzTable(double E, double poisson);

  static constexpr double no_floor = -std::numeric_limits<double>::infinity();
  static constexpr double smallest_ratio = smallest_hertz_ratio;

  // B is raised to B_floor first. The smaller of A and B is then raised to smallest_ratio times the
  // larger one: a line contact has no ellipse. Relative error below 1e-6. N <= 0 gives axes of zero
  // length.
  HertzPatch patch(Curvatures curvatures, double N, double B_floor = no_floor) const noexcept;

  // The axes of four patches, as patch() gives them.
  struct Axes {
    base::Pack a, b;
  };
  Axes axes(const base::Pack& A, const base::Pack& B, const base::Pack& N,
            double B_floor = no_floor) const noexcept;

  // k of N = k delta^(3/2), N/m^(3/2), with the same limits; 0 where A + B <= 0.
  double stiffness(Curvatures curvatures, double B_floor = no_floor) const noexcept;

 private:
  // A + B and the shape after all limits.
  struct Limited {
    double sum, m, n, d;
    bool along, valid, limited;  // along: the long axis lies along rolling
  };
  Limited limited(Curvatures curvatures, double B_floor) const noexcept;

  std::vector<HertzCell> cells_;
  double softness_;  // 3/2 (1 - poisson^2)/E
};

}  // namespace klingel::contact
