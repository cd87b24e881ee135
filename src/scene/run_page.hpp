// What a run keeps for its page: accelerations at the floor while it runs; afterwards the
// assessment, the scene, and recording.json.
#pragma once

#include <string>
#include <vector>

#include "compile/prepare_run.hpp"
#include "record/summary.hpp"
#include "scene/scene_motion.hpp"

namespace klingel::scene {

class RunPage {
 public:
  // The pipeline must outlive it.
  RunPage(const compile::PreparedRun& pipeline, double step, double duration)
      : p_(pipeline), poses_(pipeline), floor_(pipeline, step, duration) {}

  // Before every step, and at the end.
  void add(const step::Simulator& simulator) { floor_.add(simulator); }

  // Adds accelerations, ride indices and Nadal's limit.
  void assess(assess::Assessment& assessment) const;
  // From a recording of all channels.
  std::string recording(const record::Recording& recording, const record::RunSummary& summary);

 private:
  const compile::PreparedRun& p_;
  ScenePoses poses_;
  FloorMotion floor_;
};

// The channels of these names.
record::Recording part(const record::Recording& recording,
                       const std::vector<record::Channel>& channels);

}  // namespace klingel::scene
