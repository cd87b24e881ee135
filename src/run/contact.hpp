// One pair of points on a wheel and a rail, followed through time by the contact kernels: the
// coordinates s that meet phi_d = 0 for a given place of the wheelset, and what the step needs
// there. Knows nothing of forces. Allocates in the constructor only.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "run/kernel_set.hpp"
#include "wheelrail/contact.hpp"

namespace klingel::run {

using Wrench = std::array<double, 6>;  // force and moment about the wheelset's centre, ground base

// The contact kernels with as many points side by side as they have lanes. Points of one set are
// evaluated together: whoever follows several of them sets all of them first and then asks.
class ContactLanes {
 public:
  explicit ContactLanes(const klingel_kernel& kernel);

  std::size_t lanes() const { return kernels.abi().lanes; }

  KernelSet kernels;
  std::uint32_t y_w, pose, s, spline, twist, bias, ds;  // inputs
  std::uint32_t tangent, frame, rates, motion;          // functions
};

class Contact {
 public:
  // The surfaces must outlive it. y_w: place of the wheel on the axis, from the wheelset's centre.
  Contact(std::shared_ptr<ContactLanes> lanes, std::size_t lane,
          const wheelrail::WheelSurface& wheel, const wheelrail::RailSurface& rail, double y_w);

  // Place and motion of the wheelset, as the vehicle's kernels give them.
  void set_pose(std::span<const double> pose);
  void set_motion(std::span<const double> twist, std::span<const double> bias);

  // Contact coordinates theta_w, u_w, s_r, u_r. Setting them looks the active spline pieces up.
  const std::array<double, 4>& s() const { return s_; }
  void set_s(const std::array<double, 4>& s);

  // phi_n, phi_d, the Newton correction of s, and the last pivot of dphi_d_ds: negative where the
  // gap has a local minimum, zero where the contact jumps.   [eq:NRs]
  struct Tangent {
    double phi_n;
    std::array<double, 4> phi_d, step;
    double pivot;
  };
  const Tangent& tangent();
  const Tangent& last_tangent() const { return tangent_; }  // as tangent() gave it last

  // One correction of s by `step`, shortened where it would be a jump.
  void correct(const Tangent& at);
  // The largest |phi_d|; NaN becomes infinite.
  static double residual(const Tangent& at);

  // Moves s onto phi_d = 0; at most `most` corrections. False if |phi_d| stays above the tolerance,
  // or s leaves the surfaces; s is then where it got to.
  bool project(double tolerance, int most);
  int iterations() const { return iterations_; }  // corrections since pose or s were set

  struct Frame {
    Wrench W_n, W_x, W_y;
    double Kw_x, Kw_y, Kr_y;  // curvatures, 1/m, convex positive
    double angle;             // rad
  };
  const Frame& frame();
  const Frame& last_frame() const { return frame_; }  // as frame() gave it last

  // ds for the given motion; it is also kept for motion().   [eq:dsproj]
  const std::array<double, 4>& rates();
  void set_rates(const std::array<double, 4>& ds);
  const std::array<double, 4>& last_rates() const { return ds_; }  // as set or found

  struct Motion {
    double gamma_n;
    std::array<double, 3> nu, dnu;
    double V;
  };
  const Motion& motion();

  bool on_surfaces() const;
  const wheelrail::WheelSurface& wheel() const { return *wheel_; }
  const wheelrail::RailSurface& rail() const { return *rail_; }

 private:
  template <class T>
  const T& outputs(std::uint32_t function, T& to);
  void move_to(const std::array<double, 4>& s);
  void look_up();

  std::shared_ptr<ContactLanes> lanes_;
  std::size_t lane_;
  const wheelrail::WheelSurface* wheel_;
  const wheelrail::RailSurface* rail_;
  std::array<double, 4> s_{}, ds_{};
  Tangent tangent_{};
  Frame frame_{};
  Motion motion_{};
  std::array<std::size_t, 3> pieces_;  // active pieces of f_w, f_r and the line
  int iterations_ = 0;
};

// project() of several points at once, correction by correction, so that points that share their
// kernels are evaluated together. Those whose entry in `chosen` is zero are left alone. What became
// of a point its own project() tells, at no cost.
void project_together(std::span<Contact> contacts, std::span<const std::uint8_t> chosen,
                      double tolerance, int most);

// Points for the wheels of a vehicle, as many to a set of kernels as it has lanes.
class ContactMaker {
 public:
  explicit ContactMaker(const klingel_kernel& kernel) : kernel_(&kernel) {}
  Contact next(const wheelrail::WheelSurface& wheel, const wheelrail::RailSurface& rail,
               double y_w);

 private:
  const klingel_kernel* kernel_;
  std::shared_ptr<ContactLanes> lanes_;
  std::size_t used_ = 0;
};

}  // namespace klingel::run
