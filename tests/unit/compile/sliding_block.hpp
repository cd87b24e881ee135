// A block that slides by u along y across a carriage, as a vehicle file; the input F pushes it.
// Elements act between its point and the point 'wall'.
#pragma once

#include <fmt/format.h>

#include "compile/prepare_run.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::compile {

// Further coordinates and inputs as lines of their tables; `base` is that of the block's body.
inline std::string sliding_block(double mass, const std::string& base = "ground",
                                 const std::string& coordinates = "",
                                 const std::string& inputs = "") {
  return fmt::format(R"(
extends = "wheelset_suspended"
[vehicle]
name = "rig"
[add.coordinates]
u = 0
{}[add.inputs]
F = 0
{}[[point]]
name = "wall"
parent = "carriage"
r = [0, 0, 1]
[[point]]
name = "block"
parent = "wall"
r = [0, "u", 0]
[[body]]
name = "block"
point = "block"
base = "{}"
mass = {}
inertia = [100, 100, 100]
[[applied_force]]
name = "push"
force = [0, "F", 0]
to = "block"
)",
                     coordinates, inputs, base, mass);
}

// Held where it is while the rest settles.
inline std::unique_ptr<CompiledVehicle> compile_rig(const structure::TemporaryFolder& folder,
                                                    const std::string& text,
                                                    const std::vector<vehicle::Hold>& hold,
                                                    exec::Backend backend, double h = 1e-3) {
  folder.add("vehicle.toml", text);
  vehicle::Scenario s = vehicle::load_scenario((folder.path() / "vehicle.toml").string());
  s.hold = hold;
  s.speed = 5, s.step = h, s.duration = 1000;
  exec::Options options;
  options.backend = backend;
  return std::make_unique<CompiledVehicle>(compile(s, options));
}

}  // namespace klingel::compile
