// The vehicle's kernels at one instant: places and motions of its wheelsets. A step needs two: its
// matrix is made and factored at t, while places and motions are evaluated at t+h. Then they change
// roles: what was evaluated at the end of one step is there at the beginning of the next.
#pragma once

#include <span>

#include "contact/contact_search.hpp"
#include "step/description.hpp"

namespace klingel::step {

struct Instant {
  Instant(const Description& vehicle, KernelSet given)
      : kernels(std::move(given)), vehicle_(&vehicle) {}

  // Sets q, or dq after it, and evaluates poses, or twists and biases.
  void place(std::span<const double> q) {
    kernels.set(vehicle_->id.q, q);
    find_poses();
  }
  void move(std::span<const double> dq) {
    kernels.set(vehicle_->id.dq, dq);
    find_motions();
  }
  // The same for what was set before.
  void find_poses() { poses = kernels.evaluate(vehicle_->id.pose); }
  void find_motions() {
    const std::span<const double> both = kernels.evaluate(vehicle_->id.motion);
    const std::size_t twist_size = 7 * vehicle_->data.wheelsets.size();
    twists = both.first(twist_size);
    biases = both.subspan(twist_size);
  }

  // Of a wheelset: r_C (3) and axes of the non-spinning base by columns (9); v_C, w and the rate of
  // spin; accelerations with ddq = 0.
  std::span<const double> pose(std::size_t i) const { return poses.subspan(12 * i, 12); }
  std::span<const double> twist(std::size_t i) const { return twists.subspan(7 * i, 7); }
  std::span<const double> bias(std::size_t i) const { return biases.subspan(6 * i, 6); }

  contact::WheelPose wheel_pose(std::size_t wheel) const {
    const WheelData& data = vehicle_->data.wheels[wheel];
    const std::span<const double> p = pose(data.wheelset);
    contact::WheelPose pose;
    pose.R_Gw = {{p[3], p[4], p[5]}, {p[6], p[7], p[8]}, {p[9], p[10], p[11]}};
    pose.r_Ow = spline::Vec3{p[0], p[1], p[2]} + data.y_w * pose.R_Gw.y;
    return pose;
  }

  KernelSet kernels;
  std::span<const double> poses, twists, biases;  // of all wheelsets, one after another

 private:
  const Description* vehicle_;
};

}  // namespace klingel::step
