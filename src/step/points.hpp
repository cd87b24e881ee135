// The contact points of one kind, one to a wheel: treads or flanges. Four wheels share a set of
// kernels; those of the left rail come first, since wheels of one side are near their flanges
// together.
#pragma once

#include <vector>

#include "runtime/column.hpp"
#include "step/contact_set.hpp"
#include "step/vehicle_data.hpp"

namespace klingel::step {

// What acts at four points of a step: the wrench b - B u on the wheelset, u its motion at t+h.
struct PointForces {
  unsigned acts = 0;  // lanes; of the others only the gap means anything
  // at t; not theirs, and there until the next step is done
  const ContactSet::Frames* frame = nullptr;
  const ContactSet::Motions* motion = nullptr;
  base::Pack gap{};                   // m
  base::Pack N_t{};                   // of the patch, N
  base::Pack a{}, b{};                // its semi-axes, m
  base::Pack saturation{};            // of the linear creep force
  base::Pack f_t[3] = {};             // creep forces
  base::Pack C_xx, C_yy, C_yz, C_zz;  // -df/dnu, secants; C_zy = -C_yz
  // of elastic points: h k + c in N s/m, and the force at zero closing speed
  base::Pack stiffness{}, preload{};
  // A point in a hollow moves up its flank when the wheel shifts, and the turning normal pushes
  // back: N/m. And the speed of that shift less the slip velocity across, m/s.
  base::Pack turning{}, shift{};
  // in the mean of the step
  base::Pack N{};
  base::Pack f[3] = {};          // creep
  base::Pack slip_rate[2] = {};  // of nu_x and nu_y, m/s^2
  base::Pack turned{};           // of the normal that turns within the step, along W_y
};

// Memory for what forces of loaded treads point to.
struct PointFrames {
  ContactSet::Frames frame;
  ContactSet::Motions motion;
};

class Points {
 public:
  explicit Points(const VehicleData& data);

  struct Lane {
    std::size_t set, lane;
  };
  Lane lane_of(std::size_t wheel) const { return wheel_lanes_[wheel]; }
  Contact operator[](std::size_t wheel) {
    return {sets[wheel_lanes_[wheel].set], wheel_lanes_[wheel].lane};
  }

  unsigned occupied(std::size_t set) const { return occupied_[set]; }
  // Calls visit(lane, wheel) for the wheels of a set.
  template <class Visit>
  void each(std::size_t set, Visit visit) const {
    for (std::size_t lane = 0; lane < ContactSet::lanes; ++lane)
      if ((occupied_[set] >> lane & 1) != 0) visit(lane, wheels_[set][lane]);
  }
  // Rows of `size` numbers by wheelset: those of the wheelsets of a set.
  ContactSet::Lanes rows(std::size_t set, std::span<const double> of, std::size_t size) const {
    ContactSet::Lanes r;
    for (std::size_t lane = 0; lane < ContactSet::lanes; ++lane)
      r[lane] = &of[size * wheelsets_[set][lane]];
    return r;
  }
  std::size_t wheel(std::size_t set, std::size_t lane) const { return wheels_[set][lane]; }
  std::vector<std::size_t> wheels() const;  // by set and lane
  // Of numbers by wheel: those of a set; lanes without a wheel have that of another.
  base::Pack gather(std::size_t set, const double* of) const {
    const auto& wheel = wheels_[set];
    return base::Pack{of[wheel[0]], of[wheel[1]], of[wheel[2]], of[wheel[3]]};
  }
  base::Pack gather(std::size_t set, const runtime::Column<const double>& of) const {
    const auto& wheel = wheels_[set];
    return base::Pack{of[wheel[0]], of[wheel[1]], of[wheel[2]], of[wheel[3]]};
  }
  std::size_t wheelset(std::size_t set, std::size_t lane) const { return wheelsets_[set][lane]; }

  void restart(std::size_t wheel) {
    restarted[wheel_lanes_[wheel].set] |= 1u << wheel_lanes_[wheel].lane;
  }

  std::vector<ContactSet> sets;     // none with loaded treads
  std::vector<PointForces> forces;  // by set
  std::vector<PointFrames> frames;  // by set; none with rigid treads
  std::vector<unsigned> restarted;  // by set: lanes whose point is another than at t

 private:
  std::vector<Lane> wheel_lanes_;
  std::vector<unsigned> occupied_;
  // of lanes without a wheel: those of another
  std::vector<std::array<std::size_t, ContactSet::lanes>> wheels_, wheelsets_;
};

// The motion (v_C, w) of the wheelsets of a set, of six numbers by wheelset.
struct SetMotion {
  base::Pack u[6];
  SetMotion() = default;
  SetMotion(const Points& points, std::size_t set, std::span<const double> of) {
    take(points, set, of);
  }
  void take(const Points& points, std::size_t set, std::span<const double> of) {
    gather<6>(points.rows(set, of, 6), u);
  }
};

}  // namespace klingel::step
