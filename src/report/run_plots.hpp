// The first look at a vehicle's run: how wheelsets move between the rails, what wheels press with,
// what the body does, as charts over time.
#pragma once

#include <string>

#include "record/recording.hpp"

namespace klingel::report {

// One SVG document; charts whose channels were not recorded are left out.
std::string run_plots(const record::Recording& recording, const std::string& title);

}  // namespace klingel::report
