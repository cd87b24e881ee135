// The loop of a run: inputs, step, record, count, until the duration or the track is over, a stop
// is requested, the vehicle has derailed or a step fails. What the command `klingel run` does
// between loading and writing files. The loop itself does not allocate.
#pragma once

#include <functional>

#include "record/recorder.hpp"
#include "record/summary.hpp"
#include "record/tally.hpp"
#include "step/simulator.hpp"

namespace klingel::record {

struct DriveOptions {
  double step = 1e-3;    // s; the recorder's
  double duration = 10;  // s, rounded to whole steps
  step::StepOptions method = {};
  // Sets inputs, friction and the like before the step that begins at t.
  std::function<void(step::Simulator&, double t)> inputs = {};
  // Called after every step whose number is a multiple of that time; zero: never.
  double saved_every = 0;  // s of simulated time, rounded to whole steps
  std::function<void(const step::Simulator&)> save = {};
  // Asked before every step; true ends the run.
  std::function<bool()> stop = {};
  // Told about every tenth of a second of wall time, and at the end: simulated time since the
  // begin, and wall time.
  std::function<void(double simulated, double wall)> progress = {};
};

// The summary lacks only the names that the simulator does not know (scenario, track, integrator,
// law) and warnings. A step that failed is a result, too: the simulator stays at the last good
// state, and its failure() says more. Recorder and tally are those of this simulator.
RunSummary drive(step::Simulator& simulator, Recorder& recorder, Tally& tally,
                 const DriveOptions& options);

}  // namespace klingel::record
