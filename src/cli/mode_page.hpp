// A mode as a page with an animation: the vehicle at its place, swinging in the shape of the mode.
#pragma once

#include <string>

#include "compile/prepare_run.hpp"
#include "stability/modes.hpp"

namespace klingel::cli {

// Some periods without growth; the largest displacement is 10 mm, or the largest turn 10 mrad. The
// track of the scenario must be straight where the vehicle starts.
void write_mode_page(compile::CompiledVehicle vehicle, const stability::Mode& mode,
                     const Eigen::VectorXd& q, double speed, const std::string& path);

}  // namespace klingel::cli
