// The page of a running simulation: what it gets before the first frame (the scene, the names
// of channels, the sliders), and how the frames of the scene move.
#pragma once

#include <span>
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
  // The same at other coordinates; s_r is by wheel.
  void motion(std::span<const double> q, std::span<const double> s_r, std::vector<double>& values);

  // The page with one row: values of controls, channels and motion. Who watches has no buttons.
  // Needs a page in the program.
  std::string html(std::span<const double> values, const std::vector<record::Channel>& channels,
                   const std::vector<view::Control>& controls, bool watch = false);

 private:
  const compile::PreparedRun& p_;
  ScenePoses poses_;
};

}  // namespace klingel::scene
