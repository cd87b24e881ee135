// Records rows of a run while it runs: the chosen channels, every so many steps. Makes
// all memory at the beginning; in the loop it neither allocates nor throws.
//
//   Recorder recorder(simulator, track, options);
//   while (...) {
//     recorder.before(simulator);            // the state at t
//     if (simulator.step(h) != ok) break;
//     recorder.after(simulator);             // the forces of the step: the row is complete
//   }
//   recorder.finish(simulator);              // the last state
#pragma once

#include <span>
#include <string>
#include <vector>

#include "record/rail_forces.hpp"
#include "record/recording.hpp"
#include "record/vehicle_channels.hpp"
#include "step/simulator.hpp"

namespace klingel::record {

// Where rows go while a run runs, one after the other. Neither throws nor allocates.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void add(std::span<const double> row) noexcept = 0;
};

struct RecorderOptions {
  double step = 1e-3;      // s, of the simulation
  double interval = 0.01;  // s between rows, a multiple of the step
  double duration = 0;     // s, at most
  // patterns, see channel.hpp, and the words "all" and "default"; none: the default ones
  std::vector<std::string> channels = {};
  BodyCoordinates body = {};
  bool keep_rows = true;    // in recording(), with memory for all of them
  RowSink* sink = nullptr;  // gets the rows, too; not the one of finish() before the end of a run
};

// The multiple of the step (at least one) that is nearest to the given interval.
double nearest_interval(double step, double wanted);

class Recorder {
 public:
  // An interval that is not a multiple of the step, or a pattern that fits no channel, is an Error.
  // The track must outlive it.
  Recorder(const step::Simulator& simulator, const track::Track& track,
           const RecorderOptions& options);

  void before(step::Simulator& simulator);
  void after(step::Simulator& simulator);
  // A row of the last state, with the forces of the last step if that succeeded (`forces_hold`),
  // else of the last row.
  void finish(step::Simulator& simulator, bool forces_hold = true);

  const Recording& recording() const { return recording_; }
  Recording& recording() { return recording_; }
  // Of the step that was just done, also between rows.
  const RailForces& forces() const { return forces_; }
  RailForces& forces() { return forces_; }

 private:
  Recorder(const step::Simulator& simulator, const track::Track& track,
           const RecorderOptions& options, std::vector<VehicleChannel> chosen);

  void take(step::Simulator& simulator, bool of_step);
  void find_places(step::Simulator& simulator);

  std::vector<VehicleChannel> chosen_;
  Recording recording_;
  RailForces forces_;
  start::TrackPlace place_;
  BodyCoordinates body_;
  std::int64_t first_step_, every_;
  bool row_due_ = false;
  std::int64_t last_row_ = -1;  // step of it
  bool provisional_ = false;    // the last row is of finish(): the next step replaces it
  std::int64_t row_before_ = -1;
  std::vector<double> row_;
  RowSink* sink_;
};

}  // namespace klingel::record
