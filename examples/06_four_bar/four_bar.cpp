// The four-bar linkage whose mass matrix the article prints: three links with relative angles,
// moments of inertia about their joints, closed by two constraints at the fourth joint. `klingel
// example four_bar` prints the mass matrix of the open chain as C.
#include "examples/mechanisms.hpp"
#include "mech/closures.hpp"

namespace klingel::examples {

void build_four_bar(mech::Model& m) {
  using namespace mech;
  const auto theta1 = m.coordinate("theta1", -1.2, 2.0);
  const auto theta2 = m.coordinate("theta2", 0.9);
  const auto theta3 = m.coordinate("theta3", 1.2);
  const Expr l1 = m.parameter("l1", 0.4), l2 = m.parameter("l2", 1.0), l3 = m.parameter("l3", 0.8),
             l4 = m.parameter("l4", 1.0);
  const Expr m1 = m.parameter("m1", 1.0), m2 = m.parameter("m2", 2.0), m3 = m.parameter("m3", 1.5);
  const Expr cg1x = m.parameter("cg1x", 0.2), cg1z = m.parameter("cg1z", 0.01);
  const Expr cg2x = m.parameter("cg2x", 0.5), cg2z = m.parameter("cg2z", 0.02);
  const Expr cg3x = m.parameter("cg3x", 0.4), cg3z = m.parameter("cg3z", -0.01);
  const Expr I1yy = m.parameter("I1yy", 0.06), I2yy = m.parameter("I2yy", 0.7),
             I3yy = m.parameter("I3yy", 0.35);
  const Expr g = m.parameter("g", 9.81);

  m.set_gravity(m.vector(m.ground_base(), 0, 0, -g));
  const Base b1 = m.rotation("b1", m.ground_base(), axis::y, theta1.q);
  const Base b2 = m.rotation("b2", b1, axis::y, theta2.q);
  const Base b3 = m.rotation("b3", b2, axis::y, theta3.q);
  const Point A = m.point("A", m.origin(), m.vector(b1, l1, 0, 0));
  const Point B = m.point("B", A, m.vector(b2, l2, 0, 0));
  const Point C = m.point("C", B, m.vector(b3, l3, 0, 0));
  const Point D = m.point("D", m.origin(), m.vector(m.ground_base(), l4, 0, 0));
  // plane links: what is not about y does not matter, but keeps the tensors those of real bodies
  const auto link = [&](const char* name, Point P, Base b, Expr mass, Expr x, Expr z, Expr Iyy) {
    const Expr xx = mass * (z * z), zz = mass * (x * x), xz = -(mass * (x * z));
    const Tensor about_joint =
        m.inertia(b, Iyy / 2 + xx / 2 - zz / 2, Iyy, Iyy / 2 - xx / 2 + zz / 2, 0, xz, 0);
    m.body_about_point(name, P, b, mass, m.vector(b, x, 0, z), about_joint);
  };
  link("link1", m.origin(), b1, m1, cg1x, cg1z, I1yy);
  link("link2", A, b2, m2, cg2x, cg2z, I2yy);
  link("link3", B, b3, m3, cg3x, cg3z, I3yy);
  coincide_in_plane(m, "joint", C, D, m.ground_base(), axis::y);
}

}  // namespace klingel::examples
