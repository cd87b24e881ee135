// Tutorial, step 2: a pendulum from a base, a body and gravity. See docs/tutorial.md.
#include <fmt/format.h>

#include "examples/10_tutorial/check.hpp"
#include "mech/equations.hpp"
#include "mech/model.hpp"
#include "sym/print.hpp"
#include "sym/tape.hpp"

using namespace klingel;
using namespace klingel::mech;
using tutorial::check, tutorial::near;

int main() {
  Model model("pendulum");
  const sym::Coordinate theta = model.coordinate("theta", 0.3, 1.5);
  const Expr c = model.parameter("c", 0.25);  // m, pivot to centre of mass
  const Expr m = model.parameter("m", 2.0);   // kg
  const Expr J = model.parameter("J", 0.04);  // kg m^2, across the rod, about its centre of mass
  const Expr g = model.parameter("g", 9.81);  // m/s^2

  // x to the right, z up; a positive angle about y takes the hanging rod to the left
  const Base rod = model.rotation("rod", model.ground_base(), axis::y, theta.q);
  const Vector to_G = model.vector(rod, 0, 0, -c);
  model.body("rod", model.origin(), rod, m, to_G, model.inertia(rod, J, J, 0));
  model.set_gravity(model.vector(model.ground_base(), 0, 0, -g));

  // M_qq ddq = delta_q
  const Equations e = equations(model);
  const Expr M = e.M_qq.find(0, 0)->value, delta = e.delta_q[0];
  fmt::print("M     = {}\ndelta = {}\n", text(M), text(delta));
  fmt::print("T     = {}\nV     = {}\n", text(e.kinetic_energy), text(e.potential_energy));
  check(near(sym::value(M), 0.04 + 2 * 0.25 * 0.25), "M is J + m c^2");
  check(near(sym::value(delta), -2 * 9.81 * 0.25 * std::sin(0.3)), "delta is -m g c sin(theta)");

  // data that no real body can have are doubted, not refused
  model.body("strange", model.origin(), rod, m, to_G, model.inertia(rod, J, J, 3 * J));
  for (const std::string& w : model.warnings()) fmt::print("\nwarning: {}\n", w);
  check(model.warnings().size() == 1, "an impossible inertia is warned about");
}
