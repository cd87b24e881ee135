// Forces between rails and wheels as railways state them, in the canted frame of the track:
//
//   Y    lateral force of the rail on the wheel, left positive, N   (tread and flange, creep
//   Q    vertical force, up positive: the wheel load, N              included)
//   Y/Q  the lateral force that pushes the wheel towards the middle of the track over Q: positive
//        where the wheel is guided and might climb; NaN in the air (Q below assess::least_Q)
//   T-gamma  |f_x xi_x| + |f_y xi_y| of tread and flange: energy lost per metre, N
//
// and y_rel, the place of a wheelset across the track. A row belongs to a time t: before() takes
// places at t, after() the forces of the step that begins at t. Allocates in the constructor only.
#pragma once

#include <array>
#include <vector>

#include "start/track_place.hpp"
#include "step/simulator.hpp"

namespace klingel::record {

// y_rel is that of the point this far below the axle's centre along -z of the base that does not
// spin: about the height of the rail's head, so that roll does not show.
inline constexpr double y_rel_lever = 0.5;  // m

class RailForces {
 public:
  // The track must outlive it.
  RailForces(const step::Simulator& simulator, const track::Track& track);

  void before(step::Simulator& simulator);
  void after(const step::Simulator& simulator);
  void forget() { known_ = false; }  // the vehicle was put elsewhere

  struct Wheelset {
    start::TrackPlace place;
    double y_rel = 0, sum_Y = 0;
    double yaw_rel = 0;  // of the axle against the track, rad, to the left positive
    double ds = 0;       // since the call of before() before this one, m
  };
  struct Wheel {
    double Y = 0, Q = 0, YQ = 0, T_gamma = 0;
    double inwards = 0;  // Y towards the middle of the track
  };
  const Wheelset& wheelset(std::size_t k) const { return wheelsets_[k]; }
  Wheelset& wheelset(std::size_t k) { return wheelsets_[k]; }
  std::size_t wheelsets() const { return wheelsets_.size(); }
  const Wheel& wheel(std::size_t i) const { return wheels_[i]; }

  // Whether a wheelset comes within a metre of the end of the track that it moves to, and would be
  // beyond it with one more step like the last. As of the last before().
  bool at_end_of_track() const;
  // A wheel's centre against its rail, in the plane across it: left and up, m. As of the last
  // before(); for a look from outside at what the step says.
  std::array<double, 2> wheel_place(step::Simulator& simulator, std::size_t wheel) const;

 private:
  const track::Track* track_;
  bool known_ = false;  // places were taken before
  std::vector<Wheelset> wheelsets_;
  std::vector<Wheel> wheels_;
};

// Creepages and spin (1/m) of a point: slip over the speed, which counts as V_floor below that.
std::array<double, 3> creepages(const step::PointResult& point, double V_floor);

}  // namespace klingel::record
