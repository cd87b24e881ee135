// Checks that a tree is well formed before a peer builds on it.

#include "tree.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace klingel::peers {

void check(const Tree& tree) {
  const auto fail = [](std::size_t i, const char* what) {
    throw std::invalid_argument("body " + std::to_string(i) + ": " + what);
  };
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    if (body.parent < -1 || body.parent >= static_cast<int>(i)) {
      fail(i, "its parent must be the ground (-1) or an earlier body");
    }
    for (const Joint& joint : body.joints) {
      const Vec3& a = joint.axis;
      const double length2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
      // a few roundings are fine: both libraries normalise the axis again
      if (!(std::abs(length2 - 1) < 1e-14)) fail(i, "a joint axis is not a unit vector");
    }
    if (!(body.mass >= 0)) fail(i, "its mass is negative");
    const Mat3& inertia = body.inertia_about_com;
    if (inertia[1] != inertia[3] || inertia[2] != inertia[6] || inertia[5] != inertia[7]) {
      fail(i, "its inertia is not symmetric");
    }
  }
}

}  // namespace klingel::peers
