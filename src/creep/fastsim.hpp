// Kalker's FASTSIM: the patch as a carpet of bristles that stick and slip. Displacement is
// proportional to traction with three flexibilities that give the linear law's forces back,
//
//   L1 = 8 a/(3 c11 G)   L2 = 8 a/(3 c22 G)   L3 = pi a sqrt(a/b)/(4 c23 G)
//   dp_x/dx = xi_x/L1 - varphi_z y/L3          dp_y/dx = xi_y/L2 + varphi_z x/L3
//
// marched from the leading edge along strips of constant y, and shortened to the bound
// |p| <= 2 mu N/(pi a b) (1 - (x/a)^2 - (y/b)^2). The moment m_z is that of the tractions, which is
// not Kalker's even for small creepage (three quarters of it for lateral creepage on a circle).
//
// Strips lie at y = b sin t with equal steps in t, points along a strip at Gauss' abscissas. Both
// sums are exact for the bound, so |(f_x, f_y)| <= mu N holds to rounding with any number of
// points.
#pragma once

#include <vector>

#include "creep/creep.hpp"

namespace klingel::creep {

class Fastsim {
 public:
  // `strips` across, 3 ... 100, with three times as many points along, because the march is of
  // first order; anything else is an Error.
  explicit Fastsim(int strips = 10);

  CreepResult operator()(const CreepInput& in) const noexcept;

 private:
  struct Strip {
    double y, half, weight;  // in b, a and ab
  };
  // In half lengths of a strip, from the leading edge 1 to -1: place, weight, bound 1 - x^2, and
  // integrals of 1 and x over the way from the point before.
  struct Point {
    double x, weight, bound, way, way_x;
  };

  std::vector<Strip> strips_;
  std::vector<Point> points_;
  double stick_;  // sum of half^2 over strips against the exact one, for L1 and L2
};

}  // namespace klingel::creep
