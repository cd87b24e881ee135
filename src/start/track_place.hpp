// Where along a track a moving point is: the foot of its perpendicular on the centre line, in plan,
// and the frame of the track there. Followed from one instant to the next, so that it costs little;
// the first time the whole line is searched. Used by recordings, not by the step.
#pragma once

#include "track/track.hpp"

namespace klingel::start {

class TrackPlace {
 public:
  // The track must outlive it.
  explicit TrackPlace(const track::Track& track) : track_(&track) {}

  // Moves to the point of the ground; beyond an end of the track it stays at that end. Neither
  // allocates nor throws.
  void follow(const spline::Vec3& point) noexcept;

  // Goes on from an abscissa where it was before.
  void go_on_from(double s) noexcept;

  double s() const { return s_; }  // abscissa, m
  const track::TrackFrame& frame() const { return frame_; }

 private:
  const track::Track* track_;
  double s_ = 0;
  bool known_ = false;
  track::TrackFrame frame_;
};

}  // namespace klingel::start
