// A heavy symmetric top on a fixed tip: precession psi about the vertical, tilt theta, spin phi.
// Two of its moments of inertia are one expression, so the angle of spin does not appear in the
// equations.
#include "examples/mechanisms.hpp"

namespace klingel::examples {

void build_top(mech::Model& m) {
  using namespace mech;
  // fast spin, started a little below the 1.3158 rad/s of steady precession, so that it nods
  const auto psi = m.coordinate("psi", 0, 1.2566);
  const auto theta = m.coordinate("theta", 0.4, 0);
  const auto phi = m.coordinate("phi", 0, 150);
  const Expr mass = m.parameter("m", 0.5);      // kg
  const Expr l = m.parameter("l", 0.06);        // m, tip to centre of mass
  const Expr I = m.parameter("I", 8e-4);        // kg m^2, across the axis, about the centre of mass
  const Expr I_s = m.parameter("I_s", 1.5e-3);  // kg m^2, about the axis
  const Expr g = m.parameter("g", 9.81);

  m.set_gravity(m.vector(m.ground_base(), 0, 0, -g));
  const Base turned = m.rotation("turned", m.ground_base(), axis::z, psi.q);
  const Base tilted = m.rotation("tilted", turned, axis::x, theta.q);
  const Base top = m.rotation("top", tilted, axis::z, phi.q);
  m.body("top", m.origin(), top, mass, m.vector(top, 0, 0, l), m.inertia(top, I, I, I_s));
}

}  // namespace klingel::examples
