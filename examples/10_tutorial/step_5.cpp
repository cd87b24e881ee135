// Tutorial, step 5: a closed loop and how it is assembled. See docs/tutorial.md.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "examples/10_tutorial/check.hpp"
#include "exec/load.hpp"
#include "gen/program.hpp"
#include "mech/closures.hpp"
#include "mech/equations.hpp"
#include "mech/model.hpp"
#include "mechanism/assemble.hpp"

using namespace klingel;
using namespace klingel::mech;
using tutorial::check, tutorial::near;

int main() {
  Model model("engine");
  const auto phi = model.coordinate("phi", 1.0, 20.0), psi = model.coordinate("psi", 0.0),
             x = model.coordinate("x", 0.0);
  const Expr r = model.parameter("r", 0.1), l = model.parameter("l", 0.3);
  const Base ground = model.ground_base();

  // a tree: crank and rod on one branch, the piston on another
  const Base crank = model.rotation("crank", ground, axis::y, -phi.q);
  const Base rod = model.rotation("rod", ground, axis::y, psi.q);
  const Point A = model.point("A", model.origin(), model.vector(crank, r, 0, 0));
  const Point B = model.point("B", A, model.vector(rod, l, 0, 0));
  const Point P = model.point("P", model.origin(), model.vector(ground, x.q, 0, 0));
  model.body("crank", model.origin(), crank, 1.0, model.vector(crank, 0, 0, 0),
             model.inertia(crank, 0.002, 0.004, 0.002));
  model.body("rod", A, rod, 0.5, model.vector(rod, l / 2, 0, 0),
             model.inertia(rod, 0, 0.004, 0.004));
  model.body("piston", P, ground, 0.4);

  // the loop: the end of the rod is the pin of the piston, in the plane normal to y
  coincide_in_plane(model, "pin", B, P, ground, axis::y);

  // from the model to numbers; step 6 looks at this more closely
  const gen::Program program(model.graph(), "engine", interface(model, equations(model)));
  const exec::Kernel kernel = exec::load(program);
  mechanism::Mechanism mechanism(kernel.abi(), {"pin.x [m]", "pin.z [m]"});

  // assembly: the crank stays where it is and as fast as it is, the rest follows
  mechanism::State state = mechanism.nominal_state();
  fmt::print("before: largest gap {:.3f} m\n", mechanism.largest_phi(state));
  const mechanism::Assembly found = assemble(mechanism, state, {{"phi"}, {"dphi"}});
  fmt::print("after:  degrees of freedom {}, redundant constraints {}\n", found.degrees_of_freedom,
             found.redundant);
  for (std::size_t i = 0; i < 3; ++i)
    fmt::print("  {:<3} = {:8.5f}   {:<4} = {:8.5f}\n", mechanism.coordinate_names()[i], state.q[i],
               mechanism.rate_names()[i], state.dq[i]);
  const double by_geometry = 0.1 * std::cos(1) + std::sqrt(0.09 - 0.01 * std::pow(std::sin(1), 2));
  check(near(mechanism.coordinate(state, "x"), by_geometry), "the piston is where triangles say");

  // forces of the constraints, by their multipliers
  std::vector<double> ddq(3), lambda(2);
  check(mechanism.accelerations(state, ddq, lambda) == runtime::Status::ok, "accelerations exist");
  fmt::print("\nthe pin pushes the piston with {:.3f} N along x\n", -lambda[0]);
  check(near(-lambda[0], 0.4 * ddq[2]), "nothing else accelerates the piston");

  // a rod that is too short
  mechanism.set_parameter("l", 0.05);
  try {
    assemble(mechanism, state, {{"phi"}, {"dphi"}});
  } catch (const base::Error& error) {
    fmt::print("\n{}\n", error.what());
  }
}
