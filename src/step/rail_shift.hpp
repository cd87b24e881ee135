// How the rail under a wheel is moved from where its line is: an irregularity that is not in the
// track, such as one that a filter estimates.
#pragma once

namespace klingel::step {

// To the left and up in the frame of the rail, and constant rates; m, m/s.
struct RailShift {
  double y = 0, z = 0, dy = 0, dz = 0;
};

}  // namespace klingel::step
