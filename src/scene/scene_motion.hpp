// How the parts of a vehicle move with its coordinates, through the interpreter: places of frames
// for pictures, accelerations at the floor for ride indices. Not used by the step.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assess/acceleration_assessor.hpp"
#include "assess/ride.hpp"
#include "compile/prepare_run.hpp"
#include "record/recording.hpp"
#include "record/scene.hpp"
#include "sym/tape.hpp"

namespace klingel::scene {

// Wheelsets that carry a body: all of them, or those of its unit of a train.
std::vector<std::size_t> wheelsets_under(const compile::PreparedRun& pipeline,
                                         const std::string& body);

// Functions of the coordinates (and their rates) at the vehicle's parameters.
class CoordinateFunctions {
 public:
  CoordinateFunctions(mech::Model& model, std::span<const sym::Expr> functions, bool rates);

  // Valid until the next call; no allocation.
  std::span<const double> at(std::span<const double> q, std::span<const double> dq = {});

 private:
  std::unique_ptr<sym::Tape> tape_;
  std::vector<double> in_, out_, registers_;
};

// Frames in this order: of every wheelset the one that spins, of every wheelset the one that does
// not, every body, the ground.
class ScenePoses {
 public:
  explicit ScenePoses(const compile::PreparedRun& pipeline);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t still_frame(std::size_t wheelset) const { return wheelsets_ + wheelset; }
  std::size_t body_frame(std::size_t body) const { return 2 * wheelsets_ + body; }
  std::size_t ground_frame() const { return names_.size() - 1; }

  struct Pose {
    spline::Vec3 r;
    spline::Axes axes;
  };
  // Valid until the next call.
  std::span<const Pose> at(std::span<const double> q);

 private:
  std::size_t wheelsets_;
  std::vector<std::string> names_;
  std::vector<Pose> poses_;
  std::unique_ptr<CoordinateFunctions> functions_;
};

// Place and Euler parameters (e0 e1 e2 e3), the sign of e that is nearer to `before`.
std::array<double, 7> place_and_turn(const ScenePoses::Pose& pose, const double* before = nullptr);

// Where a wheel's profile is seen from the section of its rail at s_r: across, above, and its
// angle.
std::array<double, 3> wheel_in_section(const compile::PreparedRun& pipeline, std::size_t wheel,
                                       const ScenePoses::Pose& still, double s_r);

// How a vehicle moved. Needs the channels q.* and s_r.*.
record::SceneMotion scene_motion(const compile::PreparedRun& pipeline, ScenePoses& poses,
                                 const record::Recording& recording);

// Accelerations at the floor of the reference body and of bogie frames, as accelerometers there
// show them, collected while a run runs: means over about 5 ms in the axes of the body, with the
// share of weight along x and y; along z without the weight at rest. Makes its memory at the
// beginning; values at the floor are kept for ride indices up to a time, all others are judged at
// once. Without a reference body there are no points at the floor.
class FloorMotion {
 public:
  FloorMotion(const compile::PreparedRun& pipeline, double step, double duration);

  // Before every step, and at the end.
  void add(const step::Simulator& simulator);

  double interval() const { return interval_; }  // s
  const std::vector<assess::FloorPoint>& points() const { return points_; }
  // Adds what was found to an assessment.
  void assess(assess::Assessment& assessment) const;

 private:
  void add_floor(const compile::PreparedRun& pipeline, ScenePoses& poses, double duration,
                 std::vector<sym::Expr>& functions);
  void add_bogies(const compile::PreparedRun& pipeline, ScenePoses& poses,
                  std::vector<sym::Expr>& functions);

  std::vector<assess::FloorPoint> points_;
  std::vector<assess::FloorAssessor> floor_;
  std::vector<assess::BogieAssessor> bogies_;
  std::unique_ptr<CoordinateFunctions> functions_;
  std::vector<double> before_;  // values of the functions at the begin of the mean
  spline::Vec3 gravity_{};
  std::size_t every_, count_ = 0;
  double interval_;
};

// The recording with the accelerations as channels a_x.NAME ..., means around each row.
record::Recording with_floor(const record::Recording& recording, const FloorMotion& floor);

}  // namespace klingel::scene
