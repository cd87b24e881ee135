// Counts while a run runs, at every step and not only at recorded rows: minimum and maximum forces,
// longest lifts, iterations, events, times, and what wheels are judged by (room assess). Makes all
// memory at the beginning.
#pragma once

#include <optional>

#include "assess/force_assessor.hpp"
#include "record/rail_forces.hpp"
#include "record/step_times.hpp"
#include "record/summary.hpp"
#include "step/simulator.hpp"

namespace klingel::record {

class Tally {
 public:
  static constexpr int most_iterations = 12;  // histograms have a cell more, for the rest

  // Room for so many events; further ones are only counted.
  explicit Tally(const step::Simulator& simulator, std::size_t most_events = 10000);

  // Before the first step: steps will be h long.
  void begin(double h);
  // A step of h that was just done and took `seconds`, with its forces.
  void add(const step::Simulator& simulator, const RailForces& forces, double h, double seconds);
  // Events of a step that did not succeed.
  void add_events(const step::Simulator& simulator);

  // What was counted so far, with the energy balance if it was kept. Names, end and wall time are
  // filled by others.
  RunSummary summary(const step::Simulator& simulator) const;

 private:
  struct Lift {
    std::int64_t now = 0, longest = 0;  // steps
  };

  RunSummary counts_;
  std::vector<std::optional<double>> static_loads_;  // N, by wheel
  std::optional<assess::ForceAssessor> assessor_;
  std::vector<assess::WheelForces> forces_;
  std::vector<std::size_t> wheelset_of_;
  std::vector<std::string> wheelsets_;
  StepTimes times_;
  std::vector<Lift> lifts_;
};

}  // namespace klingel::record
