// A rigid rod that swings about a fixed point: one base, one body.
#include "examples/mechanisms.hpp"

namespace klingel::examples {

void build_pendulum(mech::Model& m) {
  using namespace mech;
  const auto theta = m.coordinate("theta", 1.2);
  const Expr l = m.parameter("l", 1.0);     // m, length
  const Expr mass = m.parameter("m", 2.0);  // kg
  const Expr g = m.parameter("g", 9.81);    // m/s^2

  m.set_gravity(m.vector(m.ground_base(), 0, 0, -g));
  const Base rod = m.rotation("rod", m.ground_base(), axis::y, theta.q);
  const Expr I = mass * l * l / 12;  // slender rod about its centre
  m.body("rod", m.origin(), rod, mass, m.vector(rod, 0, 0, -l / 2), m.inertia(rod, I, I, 0));
}

}  // namespace klingel::examples
