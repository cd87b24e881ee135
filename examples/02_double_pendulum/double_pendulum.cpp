// Two point masses on massless rods, angles measured from one rod to the next: points hang on
// bases.
#include "examples/mechanisms.hpp"
#include "mech/kinematics.hpp"

namespace klingel::examples {

void build_double_pendulum(mech::Model& m) {
  using namespace mech;
  const auto theta1 = m.coordinate("theta1", 2.0);
  const auto theta2 = m.coordinate("theta2", 0.5);
  const Expr l1 = m.parameter("l1", 1.0), l2 = m.parameter("l2", 0.7);  // m
  const Expr m1 = m.parameter("m1", 1.0), m2 = m.parameter("m2", 0.8);  // kg
  const Expr g = m.parameter("g", 9.81);

  m.set_gravity(m.vector(m.ground_base(), 0, 0, -g));
  const Base first = m.rotation("first", m.ground_base(), axis::y, theta1.q);
  const Base second = m.rotation("second", first, axis::y, theta2.q);
  const Point A = m.point("A", m.origin(), m.vector(first, 0, 0, -l1));
  const Point B = m.point("B", A, m.vector(second, 0, 0, -l2));
  m.body("A", A, first, m1);
  m.body("B", B, second, m2);

  const Vector r = in_base(position(m.origin(), B), m.ground_base());
  m.output("r_OB", r.c);  // where the lower mass is
}

}  // namespace klingel::examples
