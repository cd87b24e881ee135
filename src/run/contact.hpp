// One pair of points on a wheel and a rail, followed through time by the contact kernels: the
// coordinates s that meet phi_d = 0 for a given place of the wheelset, and what the step needs
// there. Knows nothing of forces. Allocates in the constructor only.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "run/kernel_set.hpp"
#include "wheelrail/contact.hpp"

namespace klingel::run {

using Wrench = std::array<double, 6>;  // force and moment about the wheelset's centre, ground base

class Contact {
 public:
  // The surfaces must outlive it. y_w: place of the wheel on the axis, from the wheelset's centre.
  Contact(const klingel_kernel& kernel, const wheelrail::WheelSurface& wheel,
          const wheelrail::RailSurface& rail, double y_w);

  // Place and motion of the wheelset, as the vehicle's kernels give them.
  void set_pose(std::span<const double> pose) { kernels_.set(pose_, pose); }
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

  // Moves s onto phi_d = 0; at most `most` corrections. False if |phi_d| stays above the tolerance,
  // or s leaves the surfaces; s is then where it got to.
  bool project(double tolerance, int most);
  int iterations() const { return iterations_; }  // of the last project()

  struct Frame {
    Wrench W_n, W_x, W_y;
    double Kw_x, Kw_y, Kr_y;  // curvatures, 1/m, convex positive
    double angle;             // rad
  };
  const Frame& frame();

  // ds for the given motion; it is also kept for motion().   [eq:dsproj]
  const std::array<double, 4>& rates();
  void set_rates(const std::array<double, 4>& ds) { kernels_.set(ds_in_, ds); }

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
  const T& outputs(std::uint32_t function);
  void look_up();

  KernelSet kernels_;
  const wheelrail::WheelSurface* wheel_;
  const wheelrail::RailSurface* rail_;
  std::uint32_t pose_, s_in_, spline_, twist_, bias_, ds_in_;
  std::uint32_t tangent_, frame_, rates_, motion_;
  std::array<double, 4> s_{};
  std::array<std::size_t, 3> pieces_;  // active pieces of f_w, f_r and the line
  int iterations_ = 0;
};

}  // namespace klingel::run
