#include "profile/profile.hpp"

namespace klingel::profile {

spline::CubicSpline wheel_function(const Profile& wheel, Side side, double r0) {
  const spline::CubicSpline f = wheel.z.transformed(1, r0);
  return side == Side::left ? f : f.mirrored();
}

spline::CubicSpline rail_function(const Profile& rail, Side side) {
  const spline::CubicSpline f = rail.z.transformed(-1, 0);
  return side == Side::left ? f : f.mirrored();
}

}  // namespace klingel::profile
