// A body without forces, orientation by Euler parameters: it turns about its intermediate axis,
// which is unstable, and flips again and again. The norm of the Euler parameters is a constraint.
#include <array>

#include "examples/mechanisms.hpp"
#include "mech/closures.hpp"
#include "mech/kinematics.hpp"

namespace klingel::examples {

void build_free_body(mech::Model& m) {
  using namespace mech;
  // at e = (1, 0, 0, 0) the rates are half the angular velocity: w = (0.01, 5, 0.01) rad/s
  const auto e0 = m.coordinate("e0", 1, 0);
  const auto e1 = m.coordinate("e1", 0, 0.005);
  const auto e2 = m.coordinate("e2", 0, 2.5);
  const auto e3 = m.coordinate("e3", 0, 0.005);
  const Expr mass = m.parameter("m", 1.0);
  const Expr I1 = m.parameter("I1", 0.001), I2 = m.parameter("I2", 0.002),
             I3 = m.parameter("I3", 0.0028);

  const std::array<Expr, 4> e = {e0.q, e1.q, e2.q, e3.q};
  const Base body = m.euler_parameters("body", m.ground_base(), e);
  m.body("body", m.origin(), body, mass, m.vector(body, 0, 0, 0), m.inertia(body, I1, I2, I3));
  unit_norm(m, "norm", e);

  // angular momentum, constant in the ground base
  const Vector w = in_base(angular_velocity(m.ground_base(), body), body);
  const Vector H = in_base(Vector{body, {I1 * w.x(), I2 * w.y(), I3 * w.z()}}, m.ground_base());
  m.output("H", H.c);
  m.output("omega", w.c);
}

}  // namespace klingel::examples
