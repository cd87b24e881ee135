// The wrench of the loaded contacts of four wheels in a step with its derivatives, by dual numbers
// (base/dual.hpp): the formulas of loaded_set.cpp and loaded_forces.cpp once more, in the frames of
// the rails, by these variables of each wheel:
//
//   place    of O_w along the rail, across and up; e_t and e_n of the axis, O_w held
//   rails    moved across and up, if wanted
//   motion   v_C, w, spin; rates of moved rails, if wanted
//
// Along the rail the frame turns by k/D per length, and with it all that is given in the ground.
// Bias and motion at t+h act linearly: their columns need no dual numbers. Patches are differenced
// in one number, the ratio of their curvatures.
#pragma once

#include <array>
#include <span>

#include "contact/charted_pair.hpp"
#include "step/description.hpp"
#include "step/loaded_treads.hpp"
#include "step/rail_pieces.hpp"
#include "step/rail_shift.hpp"

namespace klingel::step {

// Columns: displacement (3) and rotation (3) in the ground; twist (7), bias (6), u_end (6).
inline constexpr std::size_t wrench_columns = 25, rail_columns = 6;

// Of four wheelsets or wheels, in the ground: w, the forces on wheels that results have, and their
// derivatives. Rails: moved to the left, up, up at the left and down at the right wheel by half of
// it; and rates of these.
struct WrenchSlopes {
  base::Pack w[6] = {}, dw[wrench_columns][6] = {};
  base::Pack force[3] = {}, dforce[wrench_columns][3] = {};
  base::Pack dw_rails[rail_columns][6] = {}, dforce_rails[rail_columns][3] = {};
  base::Pack dw_friction[6] = {}, dforce_friction[3] = {};
};

class LoadedSlopes {
 public:
  static constexpr std::size_t lanes = base::pack_lanes;

  // The wheel and the line must outlive it.
  void occupy(std::size_t lane, const WheelData& wheel, const track::RailLine& line);
  void shift(std::size_t lane, const RailShift& by);

  // A step: place, motion and bias at t and motion at t+h of the wheelsets, in the ground.
  struct Motion {
    base::Pack pose[12], twist[7], bias[6], end[6];
    base::Pack s_r;  // where the feet of the wheels on their rails are looked for first
    base::Pack friction;
    double h, theta;
  };
  struct Wanted {
    bool forces = false, rails = false, friction = false;
  };
  // False if a patch is outside of its chart.
  bool find(const Motion& at, const Description& vehicle, const LoadedTreads::Set& springs,
            const Wanted& wanted, WrenchSlopes& to);

 private:
  template <bool rails>
  bool find(const Motion& at, const Description& vehicle, const LoadedTreads::Set& springs,
            const Wanted& wanted, WrenchSlopes& to);
  template <class By>
  struct Wheels;
  template <class By>
  struct Sheet;
  template <class By>
  struct Sum;
  struct Charts;
  template <class By>
  void place(const Motion& at, Wheels<By>& to);
  bool read_charts(bool flange, const base::Pack& eta, const base::Pack& height,
                   const base::Pack& rho, const base::Pack& tau, Charts& to) const;
  template <class By>
  bool look(const Wheels<By>& wheels, bool flange, const SheetSpring& spring, Sheet<By>& to,
            bool& inside) const;
  template <class By>
  void add(const Wheels<By>& wheels, const Sheet<By>& sheet, const SheetSpring& spring,
           const Motion& at, const Description& vehicle, const Wanted& wanted, double theta_normal,
           Sum<By>& to) const;

  RailPieces rails_;
  std::array<std::span<const ChartPlace>, lanes> places_{};
  std::array<const contact::ChartedSheet*, lanes> tread_charts_{}, flange_charts_{};
  base::Pack side_ = base::splat(1), r0_ = base::splat(0.5), y_w_{};
  base::Pack shift_y_{}, shift_z_{}, shift_dy_{}, shift_dz_{};
  base::Pack s_r_{};
  unsigned occupied_ = 0;
};

}  // namespace klingel::step
