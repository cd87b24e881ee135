// The page of a running simulation: what it gets before the first frame (the scene, the names
// of channels, the sliders), and how the frames of the scene move.
#pragma once

#include <string>
#include <vector>

#include "compile/prepare_run.hpp"
#include "scene/scene_motion.hpp"
#include "view/live.hpp"

namespace klingel::scene {

// A slider for all inputs of the vehicle file that are marked and share their last name ("motor" of
// "rear.front.motor"), ends and unit; and one for friction.
std::vector<view::Control> controls_of(const compile::PreparedRun& pipeline);

class LivePage {
 public:
  // The pipeline must outlive it.
  explicit LivePage(const compile::PreparedRun& pipeline) : p_(pipeline), poses_(pipeline) {}

  // Appends seven numbers per frame of the scene and three per wheel, at the simulator's state.
  void motion(std::vector<double>& values);

  // The page with one row, the current state of the simulation; needs a page in the program.
  std::string html(const view::Live& live, const std::vector<view::Control>& controls);

 private:
  const compile::PreparedRun& p_;
  ScenePoses poses_;
};

}  // namespace klingel::scene
