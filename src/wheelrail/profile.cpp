#include "wheelrail/profile.hpp"

namespace klingel::wheelrail {

CubicSpline wheel_function(const Profile& wheel, Side side, double r0) {
  const CubicSpline f = wheel.z.transformed(1, r0);
  return side == Side::left ? f : f.mirrored();
}

CubicSpline rail_function(const Profile& rail, Side side) {
  const CubicSpline f = rail.z.transformed(-1, 0);
  return side == Side::left ? f : f.mirrored();
}

}  // namespace klingel::wheelrail
