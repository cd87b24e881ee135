// Tutorial, step 4: springs, dampers, inputs and the balance of power. See docs/tutorial.md.
#include <fmt/format.h>

#include <vector>

#include "examples/10_tutorial/check.hpp"
#include "mech/elements.hpp"
#include "mech/equations.hpp"
#include "mech/model.hpp"
#include "sym/differentiate.hpp"
#include "sym/linear_solve.hpp"
#include "sym/print.hpp"
#include "sym/substitute.hpp"
#include "sym/tape.hpp"

using namespace klingel;
using namespace klingel::mech;
using tutorial::check, tutorial::near;

int main() {
  // a cart on a spring and a damper, pushed by an input; a pendulum hangs on it
  Model model("crane");
  const auto x = model.coordinate("x", 0.3, 0.8), theta = model.coordinate("theta", 0.5, -1.2);
  const Expr M = model.parameter("M", 4.0), m = model.parameter("m", 1.5);  // kg
  const Expr l = model.parameter("l", 0.9), g = model.parameter("g", 9.81);
  const Expr k = model.parameter("k", 50.0), c = model.parameter("c", 3.0);  // N/m, N s/m
  const Expr push = model.input("push", 7.0);                                // N
  const Base ground = model.ground_base();

  const Point cart = model.point("cart", model.origin(), model.vector(ground, x.q, 0, 0));
  const Base rope = model.rotation("rope", ground, axis::y, theta.q);
  const Point load = model.point("load", cart, model.vector(rope, 0, 0, -l));
  model.body("cart", cart, ground, M);
  model.body("load", load, rope, m);
  model.set_gravity(model.vector(ground, 0, 0, -g));

  // force elements: equal and opposite actions, and the energy they store
  isotropic_spring(model, "spring", model.origin(), cart, k, c, ground);
  applied_force(model, "push", push * model.axis_vector(ground, axis::x), cart);
  torsion_spring(model, "hinge", ground, rope, model.axis_vector(rope, axis::y), theta.q, 0, 0.2);

  const Equations e = equations(model);
  for (const sym::Entry& entry : e.M_qq.entries())
    fmt::print("M_{}{}    = {}\n", entry.row + 1, entry.col + 1, text(entry.value));
  for (std::size_t i = 0; i < 2; ++i) fmt::print("delta_{} = {}\n", i + 1, text(e.delta_q[i]));

  // accelerations in atoms: the linear system solved once, symbolically
  const sym::Factors factors(e.M_qq, {.method = sym::Elimination::ldlt, .order = {}});
  const std::vector<Expr> ddq = factors.solve(e.delta_q);

  // what the input gives and the dampers take is what the energy gains
  const Expr energy = e.kinetic_energy + e.potential_energy;
  const std::vector<sym::Replacement> motion = {{x.ddq, ddq[0]}, {theta.ddq, ddq[1]}};
  const double gain = sym::value(substitute(time_derivative(energy), motion));
  const double given = 7.0 * 0.8, taken = 3.0 * 0.8 * 0.8 + 0.2 * 1.2 * 1.2;
  fmt::print("\nenergy {:.6f} J, changing by {:.6f} W = {:.3f} W given - {:.3f} W taken\n",
             sym::value(energy), gain, given, taken);
  check(near(gain, given - taken), "power balance");
}
