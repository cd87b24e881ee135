// Hunting that neither grows nor fades: its amplitude over speed on straight track, by runs.
// Upwards every speed begins with a small disturbance, or with the motion of the speed before if
// that went on; downwards with a large one at the highest speed, and then with the motion of the
// speed before. Where the lower end of the motion downwards is below the linear critical speed, a
// large disturbance lets the vehicle hunt although a small one fades: the bifurcation is
// subcritical.
//
// A run at a speed ends when its amplitude stays, fades below what counts, or after the longest
// time. The speed is restored at the begin of every window.
//
// Between two motions that last, a smaller and a larger one (or straight running), lies one that
// does not: a disturbance a little below ends in the smaller, a little above in the larger. The
// disturbance between them is found by halving; before it decides, such a run stays near the
// unstable cycle, and its amplitude is that of the window in which it changes least.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulation/description.hpp"

namespace klingel::stability {

struct CycleOptions {
  double small = 3e-4, large = 5e-3;  // m aside at the start
  double counts = 1e-4;               // m: below it a motion has faded
  double window = 2, longest = 40;    // s
  double same = 5e-3;                 // relative change from window to window that is none
  double step = 1e-3;                 // s
};

struct Cycle {
  double speed = 0;
  double amplitude = 0;  // of the wheelset that moves most, m; zero if it faded
  double frequency = 0;  // Hz
  bool settled = true;   // false: still changing after the longest time
  bool fades = false;    // and becoming less
  double aside = 0;      // m, the disturbance that parts its neighbours, of unstable ones
  std::string failure;   // derailed, or the run failed
};

struct CycleBranches {
  std::vector<Cycle> up, down;  // in the order of the runs
  std::vector<Cycle> unstable;  // at speeds where they differ, rising
  // The lowest speed at which the motion downwards goes on, between the two last speeds tried; none
  // (zero) if it faded at once, or went on down to the lowest one: `to_the_end`.
  double lowest = 0;
  bool to_the_end = false;
};

// All branches, in two threads. speeds: ascending, m/s. The lower end downwards is halved so
// many times between two speeds.
CycleBranches limit_cycles(const simulation::Description& vehicle,
                           const std::vector<double>& parameters, const std::vector<double>& speeds,
                           const CycleOptions& options = {}, int halvings = 4);

}  // namespace klingel::stability
