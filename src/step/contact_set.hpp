// Pairs of points on wheels and rails, followed through time by the contact kernels: the
// coordinates s that meet phi_d = 0 for a given place of the wheelset, and what the step needs
// there. Four pairs side by side are a ContactSet; a Contact is one of them. Knows nothing of
// forces. Allocates in constructors only.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/pack.hpp"
#include "contact/surfaces.hpp"
#include "step/contact_kernels.hpp"

namespace klingel::step {

using Wrench = std::array<double, 6>;  // force and moment about the wheelset's centre, ground base

using RowsOfLanes = std::array<const double*, base::pack_lanes>;
// Four rows of `size` numbers become packs.
template <std::size_t size>
void gather(const RowsOfLanes& from, base::Pack* to) {
  static_assert(size >= 4);
  for (std::size_t first = 0; first < size; first += 4) {
    const std::size_t i = first + 4 <= size ? first : size - 4;  // the last four may overlap others
    base::Pack a = base::load(from[0] + i), b = base::load(from[1] + i);
    base::Pack c = base::load(from[2] + i), d = base::load(from[3] + i);
    base::transpose(a, b, c, d);
    to[i] = a, to[i + 1] = b, to[i + 2] = c, to[i + 3] = d;
  }
}

class ContactSet {
 public:
  // The kernels must be on four lanes. A lane that is not occupied has nominal values.
  explicit ContactSet(const klingel_kernel& kernel);

  static constexpr std::size_t lanes = base::pack_lanes;

  // The surfaces must outlive it. y_w: place of the wheel on the axis, from the wheelset's centre.
  void occupy(std::size_t lane, const contact::WheelSurface& wheel,
              const contact::RailSurface& rail, double y_w);

  // Place and motion of wheelsets, as the vehicle's kernels give them: 12, 7 and 6 numbers each.
  using Lanes = RowsOfLanes;
  void set_pose(const Lanes& poses);
  void set_pose(std::size_t lane, std::span<const double> pose);
  void set_motion(const Lanes& twists, const Lanes& biases);
  void set_motion(std::size_t lane, std::span<const double> twist, std::span<const double> bias);
  const base::Pack* twist() const { return twist_; }
  // Place and motion are those of another set of the same wheelsets from now on. After they were
  // set there, a set that is to follow is told so.
  void share_wheelsets(ContactSet& of);
  // Works in the memory of another set that is not used at the same time.
  void share_workspace(const ContactSet& of) { kernels_.share_workspace(of.kernels_); }
  void follow_pose();
  void follow_motion();

  // Contact coordinates theta_w, u_w, s_r, u_r, their rates, and how these change. Setting
  // coordinates looks the active spline pieces up.
  const base::Pack* s() const { return s_; }
  const base::Pack* ds() const { return ds_; }
  std::array<double, 4> s(std::size_t lane) const;
  std::array<double, 4> ds(std::size_t lane) const;
  std::array<double, 4> dds(std::size_t lane) const;
  void set_s(std::size_t lane, const std::array<double, 4>& s);
  // All of these, of some lanes.
  void take(unsigned who, const base::Pack* s, const base::Pack* ds, const base::Pack* dds);
  const base::Pack* dds() const { return dds_; }
  void set_rates(std::size_t lane, const std::array<double, 4>& ds,
                 const std::array<double, 4>& dds);
  // s + h ds + h^2/2 dds, of some lanes: where Newton's method begins. With the last correction
  // that was not made, if wanted.
  void advance(unsigned who, double h, bool correct = false);

  // phi_n, phi_d, the Newton correction of s, and the last pivot of dphi_d_ds: positive where the
  // gap has a local minimum, zero where the contact jumps.   [eq:NRs]
  template <class T>
  struct TangentOf {
    T phi_n, phi_d[4], step[4], pivot;
  };
  using Tangents = TangentOf<base::Pack>;
  const Tangents& tangents() { return as<Tangents>(kernels_.evaluate(ContactKernels::tangent)); }
  // The largest |phi_d|; infinite where it is not a number.
  base::Pack residuals();
  // Lanes with these residuals that need another correction: |phi_d| above the tolerance, or a long
  // correction.
  unsigned unsettled(const base::Pack& residuals, double tolerance);
  // Corrects s of some lanes by `step`, shortened where it would be a jump.
  void correct(unsigned who);
  // Moves s of some lanes onto phi_d = 0, by at most `most` corrections of each. Whether a lane got
  // there its residual tells, which is returned. With `stalled`, lanes whose residual does not
  // fall, or that are at no minimum, are left and their bits set.
  base::Pack project(unsigned who, double tolerance, int most, unsigned* stalled = nullptr);
  // Corrections since pose or s were set.
  int iterations(std::size_t lane) const { return static_cast<int>(iterations_[lane]); }
  int most_iterations() const;
  // Lanes whose s is on both surfaces.
  unsigned on_surfaces() const;

  template <class T>
  struct FrameOf {
    T W_n[6], W_x[6], W_y[6];
    T Kw_x, Kw_y, Kr_y;      // curvatures, 1/m, convex positive
    T sin_angle, cos_angle;  // of the contact angle
  };
  using Frames = FrameOf<base::Pack>;
  const Frames& frames() { return as<Frames>(kernels_.evaluate(ContactKernels::frame)); }

  // ds of some lanes for the given motion, kept for motions()   [eq:dsproj]; dds of those that go
  // on from ds a time h ago, zero of the others.
  void find_rates(unsigned who, unsigned going_on = 0, double h = 1);

  template <class T>
  struct MotionOf {
    T gamma_n, nu[3], dnu[3], V;
  };
  using Motions = MotionOf<base::Pack>;
  const Motions& motions() { return as<Motions>(kernels_.evaluate(ContactKernels::motion)); }

  // Frames and motions of now stay where they are while the next ones are evaluated.
  void keep_frames() {
    kernels_.keep(ContactKernels::frame);
    kernels_.keep(ContactKernels::motion);
  }

  const contact::RailSurface& rail(std::size_t lane) const { return *rails_[lane]; }

 private:
  // outputs one after another are the structures above
  template <class T>
  static const T& as(const base::Pack* values) {
    return *reinterpret_cast<const T*>(values);
  }
  void look_up(unsigned who);  // pieces of lanes that left theirs
  void look_up_lane(std::size_t which, std::size_t lane);

  ContactKernels kernels_;
  base::Pack *pose_, *s_, *spline_, *twist_, *bias_, *ds_;  // memory of the inputs
  base::Pack dds_[4] = {};
  base::Pack low_[3], high_[3];  // where the surfaces are: u_w, s_r, u_r
  std::array<const contact::WheelSurface*, lanes> wheels_{};
  std::array<const contact::RailSurface*, lanes> rails_{};
  base::Pack begin_[3] = {}, end_[3] = {};  // where the pieces looked up last hold: u_w, s_r, u_r
  base::Mask iterations_{};
};

// One pair of a set, for what is done rarely or wheel by wheel.
class Contact {
 public:
  Contact(ContactSet& set, std::size_t lane) : set_(&set), lane_(lane) {}

  void set_pose(std::span<const double> pose) const { set_->set_pose(lane_, pose); }
  void set_motion(std::span<const double> twist, std::span<const double> bias) const {
    set_->set_motion(lane_, twist, bias);
  }
  std::array<double, 4> s() const { return set_->s(lane_); }
  void set_s(const std::array<double, 4>& s) const { set_->set_s(lane_, s); }
  std::array<double, 4> ds() const { return set_->ds(lane_); }
  void set_rates(const std::array<double, 4>& ds, const std::array<double, 4>& dds) const {
    set_->set_rates(lane_, ds, dds);
  }

  double phi_n() const { return set_->tangents().phi_n[lane_]; }
  double pivot() const { return set_->tangents().pivot[lane_]; }

  // False if |phi_d| stays above the tolerance, or s leaves the surfaces; s is then where it got
  // to.
  bool project(double tolerance, int most) const;
  int iterations() const { return set_->iterations(lane_); }

  Wrench W_n() const;
  std::array<double, 4> rates() const;
  double gamma_n() const { return set_->motions().gamma_n[lane_]; }

  const contact::RailSurface& rail() const { return set_->rail(lane_); }

 private:
  ContactSet* set_;
  std::size_t lane_;
};

}  // namespace klingel::step
