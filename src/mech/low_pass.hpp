// A low-pass filter as internal states: Butterworth of second order, for sensors.
#pragma once

#include <string>

#include "mech/model.hpp"

namespace klingel::mech {

// x filtered, as an expression of two states. At the start it is at rest at the value that x has
// with nominal coordinates and rates. x may contain accelerations: those of a step act in it.
// cutoff: Hz, where the amplitude is 1/sqrt(2).
Expr low_pass(Model& model, const std::string& name, Expr x, double cutoff);

}  // namespace klingel::mech
