// Tutorial, step 6: kernels, motion, CSV and C for others. See docs/tutorial.md.
//
//   step_6 <output folder>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "examples/10_tutorial/check.hpp"
#include "examples/mechanisms.hpp"
#include "exec/load.hpp"
#include "gen/emit_c.hpp"
#include "gen/program.hpp"
#include "mech/equations.hpp"
#include "mech/kinematics.hpp"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "mechanism/trajectory.hpp"
#include "sym/count.hpp"

using namespace klingel;
using tutorial::check, tutorial::near;

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "tutorial_output";

  // a shipped mechanism, and something more to know about it
  mech::Model model("four_bar");
  examples::build_four_bar(model);
  const mech::Vector v_B = velocity(model.ground(), model.point("B"));
  model.output("speed_B", std::vector{norm(v_B)});

  // equations, then named functions in stages
  const mech::Equations e = mech::equations(model);
  const gen::Program program(model.graph(), "four_bar", mech::interface(model, e));
  for (const gen::Input& in : program.inputs())
    fmt::print("{:<8} {:<2} of {:>2}\n", program.stages()[in.stage], in.name, in.symbols.size());

  // C for others, with its operation counts
  const gen::Emitted emitted = gen::emit_c(program);
  gen::write_files(emitted.files, (folder / "c").string());
  fmt::print("\n");
  for (const auto& s : emitted.manifest.stages)
    fmt::print("stage    {:<8} {:>3} operations\n", s.name, s.count.total());
  for (const auto& f : emitted.manifest.functions)
    fmt::print("function {:<8} {:>3} operations\n", f.name, f.count.total());

  // kernels for this process: compiled if there is a compiler, else interpreted
  const exec::Kernel kernel = exec::load(program);
  mechanism::Mechanism mechanism(kernel.abi(), {"joint.x [m]", "joint.z [m]"});
  mechanism::State state = mechanism.nominal_state();
  mechanism::assemble(mechanism, state, {{"theta1"}, {"dtheta1"}});

  // motion
  mechanism::Integrator integrator(mechanism, {.method = mechanism::Method::rk4, .h = 1e-3});
  mechanism::Trajectory trajectory(mechanism, mechanism::rows_for(0, 2, 0.01), {"speed_B"});
  if (integrator.simulate(state, 2, 0.01, trajectory) != runtime::Status::ok) {
    fmt::print(stderr, "{}\n", integrator.failure_text());
    return 3;
  }
  mechanism::write_csv(trajectory, folder / "four_bar.csv");

  fmt::print("\n{:>5} {:>9} {:>9} {:>10} {:>8}\n", "t", "theta1", "speed_B", "energy", "gap");
  const auto t = trajectory.column("t [s]"), theta1 = trajectory.column("theta1"),
             speed = trajectory.column("speed_B"), T = trajectory.column("kinetic_energy [J]"),
             V = trajectory.column("potential_energy [J]"), gap = trajectory.column("largest_phi");
  for (std::size_t i = 0; i < trajectory.rows(); i += 40)
    fmt::print("{:5.2f} {:9.6f} {:9.6f} {:10.6f} {:>8}\n", t[i], theta1[i], speed[i], T[i] + V[i],
               gap[i] < 1e-11 ? "< 1e-11" : "open");
  for (std::size_t i = 0; i < trajectory.rows(); ++i) {
    check(near(T[i] + V[i], T[0] + V[0], 1e-8), "energy is kept");
    check(gap[i] < 1e-10, "the loop stays closed");
  }
}
