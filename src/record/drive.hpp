// The loop of a run: inputs, step, record, count, until the duration or the track is over, a stop
// is requested, the vehicle has derailed or a step fails. What the command `klingel run` does
// between loading and writing files. The loop itself does not allocate.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "record/ending.hpp"
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

// A run in the hands of a caller that steps simulators itself, several side by side for one:
//
//   Drive run(simulator, recorder, tally, options);
//   while (run.before()) run.after(simulator.step(options.step, options.method), seconds);
//   const RunSummary summary = run.finish(wall);
//
// What it is given must outlive it.
class Drive {
 public:
  Drive(step::Simulator& simulator, Recorder& recorder, Tally& tally, const DriveOptions& options);

  // Prepares the next step; false: the run is over.
  bool before();
  // What became of the step, and the time it took.
  void after(runtime::Status status, double seconds);
  double simulated() const { return simulator_.time() - t_begin_; }  // s since the begin
  RunSummary finish(double wall);

 private:
  step::Simulator& simulator_;
  Recorder& recorder_;
  Tally& tally_;
  const DriveOptions& options_;
  std::int64_t steps_, save_steps_, done_ = 0;
  double t_begin_;
  runtime::Status status_ = runtime::Status::ok;
  RunEnd planned_ = RunEnd::completed;
  bool finite_ = true, over_ = false;
  std::optional<Ending> ending_;
};

// The summary lacks only the names that the simulator does not know (scenario, track, integrator,
// law) and warnings. A step that failed is a result, too: the simulator stays at the last good
// state, and its failure() says more. Recorder and tally are those of this simulator.
RunSummary drive(step::Simulator& simulator, Recorder& recorder, Tally& tally,
                 const DriveOptions& options);

}  // namespace klingel::record
