// The start of a run in steady motion through a curve: wheel loads, creep forces, steering and lean
// are those the vehicle would have after running there for long. Found by running it on a curve
// without end, of the track's curvature and cant, until its wheel loads stay; made exact by
// quasi_static.hpp where that succeeds; then put on the track itself. Straight track is the curve
// of curvature zero. Used before the first step.
#pragma once

#include "start/rolling.hpp"

namespace klingel::start {

struct SteadyStart {
  double settling = 0;    // simulated time until the wheel loads stayed, s
  double unrest = 0;      // largest change of a wheel load in the last second, share of the mean
  bool exact = false;     // the balance was solved for: `unbalanced` is what is left
  double unbalanced = 0;  // of the weight
  double forward = 0;     // force that keeps the speed, N, if exact
};

// As begin(), in steady motion. An Error where curvature or cant change below the vehicle, on a
// gradient, at standstill, or if it derails or keeps moving.
SteadyStart begin_steady(step::Simulator& simulator, const track::Track& track,
                         const Start& options);

}  // namespace klingel::start
