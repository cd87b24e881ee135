// Four wheels on their rails under load: the position of each in the section of its rail, the
// values of the charts of its sheets there, and what the step needs of it. The counterpart of
// ContactSet for tread = "loaded"; no search and no iteration but the foot of the wheel's centre on
// the rail's line. Knows nothing of forces. Allocates in the constructor only.
//
// The place of a wheel against its rail is x = (y, z, e_n, e_t): O_w in the rail's section at the
// abscissa s_r where it lies square to O_w, and the direction of the axis. With the rail's frame
// turning by k per unit of s_r, v the velocity of O_w and w that of the wheelset, in the frame:
//
//   ds_r = v_t / D,   D = |C'| + k_c z - k_n y
//   dy = v_c + ds_r k_t z,   dz = v_n - ds_r k_t y,   de = (w - ds_r k) x e              [eq:place]
//
// phi(x) of a sheet (contact_chart.hpp) has the gradient G by x, and d(phi)/dt = G dx is W_n .
// (v_C, w): the wrench of a normal force is the gradient of phi, so that it does no work but what
// the sheets store. Second derivatives H of phi serve the tangent.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "contact/charted_pair.hpp"
#include "profile/profile.hpp"
#include "step/contact_set.hpp"
#include "step/pack_vector.hpp"
#include "step/rail_pieces.hpp"
#include "step/rail_shift.hpp"
#include "step/vehicle_data.hpp"
#include "step/wheelset_motion.hpp"

namespace klingel::step {

class LoadedSet {
 public:
  static constexpr std::size_t lanes = base::pack_lanes;
  using Lanes = ContactSet::Lanes;

  // The pair and the line must outlive it. r0: radius at the taping line; y_w as in ContactSet.
  void occupy(std::size_t lane, const contact::ChartedPair& pair, const track::RailLine& line,
              profile::Side side, double r0, double y_w);
  // Charts that change along the rail; they must outlive it, too.
  void set_places(std::size_t lane, std::span<const ChartPlace> places) {
    places_[lane] = places;
    changing_ = changing_ || !places.empty();
  }

  double s_r(std::size_t lane) const { return s_r_[lane]; }
  base::Pack s_r() const { return s_r_; }
  void set_s_r(std::size_t lane, double s_r) { s_r_[lane] = s_r; }
  void set_s_r(const base::Pack& s_r) { s_r_ = s_r; }
  // Moves the rail under a wheel sideways and up, y and z in its frame, from where its line is, at
  // constant rates: an unknown irregularity (kalman/). Not moved at first.
  void shift(std::size_t lane, const RailShift& by);
  bool is_shifted() const { return shifted_; }
  void advance_shift(double h) { shift_y_ += h * shift_dy_, shift_z_ += h * shift_dz_; }
  // A shift is what a wheel meets on a rail that lies still. Upwards, the wheel follows the slope
  // and u is the motion against it, in the ground. Sideways, the place on the rail changes (dx),
  // but slip does not: against a rail that turns by the slope a, the wheelset's motion V a sideways
  // and its yaw a cancel in it.
  const PackVector& shift_velocity() const { return shift_velocity_; }
  const base::Pack& sideways_rate() const { return shift_dy_; }

  // Where the next feet are looked for. dds_r: how ds_r changed in the last step.
  void advance(double h, const base::Pack& dds_r) { s_r_ += h * (ds_r_ + h / 2 * dds_r); }
  base::Pack ds_r() const { return ds_r_; }
  const PackVector& turn() const { return turn_; }  // rate of turning of the rails' frames, ground

  // Rails away from their lines, in their frames: to the left and upwards, m, and the rates. Place
  // and motion are then relative to these rails.
  void move_rails(const base::Pack& y, const base::Pack& z, const base::Pack& dy,
                  const base::Pack& dz) {
    rail_y_ = y, rail_z_ = z, rail_dy_ = dy, rail_dz_ = dz;
    moved_ = true;
  }
  // Directions of y and z in the ground, if rails were moved.
  const PackVector& across() const { return across_; }
  const PackVector& up() const { return up_; }

  // Everything at a place and motion of the wheelsets. Static when twists are zero.
  void evaluate(const WheelsetMotion& of);
  void evaluate(const Lanes& poses, const Lanes& twists, const Lanes& biases) {
    evaluate(WheelsetMotion(poses, twists, biases));
  }

  struct Sheet {
    base::Pack phi{};         // m
    base::Pack G[4] = {};     // of phi by y, z, e_n, e_t
    base::Pack H[4][4] = {};  // second derivatives, from the diagonal to the right
    base::Pack dG[4] = {};    // rate of G: H dx
    base::Pack drift{};       // rate of phi by profiles that change along the rail, m/s
    ContactSet::Frames frame{};
    ContactSet::Motions motion{};
    PackVector n_r{};         // the normal, in the ground
    base::Pack u_w{}, u_r{};  // places on wheel and rail, m
    base::Pack radius{};      // rolling radius, m
    base::Pack theta_w{};     // angle of the point on the wheel, as in the article
    base::Pack cosine = base::splat(1), sine{};  // of the charts' tilt
    base::Pack begin = base::splat(-INFINITY);   // across: less is too far from the rail
    unsigned charts = 0;                         // lanes that have such a sheet
    unsigned has = 0;                            // lanes with such a sheet near its rail
    unsigned inside = 0;                         // lanes within their chart
  };
  const Sheet& tread() const { return tread_; }
  const Sheet& flange() const { return flange_; }
  // Rows of dx by (v_C, w), in the ground: W_n = sum of G_i row_i.
  const base::Pack (&rows() const)[4][6] { return rows_; }
  // dx, and the motion (v_C, w_total) in the ground it comes from, less that of moving rails.
  const base::Pack (&dx() const)[4] { return dx_; }
  const base::Pack (&u() const)[6] { return u_; }

  // Of the wheel's lowest point above its height when it stands centred, m.
  base::Pack lift() const { return lift_; }
  // Lanes whose wheels are above a rail at all.
  unsigned on_line() const { return on_line_; }

 private:
  struct WheelPosition;
  struct Rates;
  void choose_charts(Sheet& sheet, const contact::ChartedSheet* const* charts, bool flange);
  void blend_charts(Sheet& sheet, const contact::ChartedSheet* chart, const WheelPosition& place,
                    double across, std::size_t lane, bool flange, contact::Charted& to) const;
  unsigned read_some(Sheet& sheet, const contact::ChartedSheet* const* charts,
                     const WheelPosition& place, const base::Pack& across, bool flange,
                     contact::Charted* to) const;
  void look(Sheet& sheet, const contact::ChartedSheet* const* charts, const WheelPosition& place,
            const Rates& rates, bool flange);

  RailPieces rails_;
  std::array<std::span<const ChartPlace>, lanes> places_{};
  bool changing_ = false;  // some have places
  std::array<const contact::ChartedSheet*, lanes> tread_charts_{}, flange_charts_{};
  base::Pack side_ = base::splat(1), r0_ = base::splat(0.5), y_w_{}, top_{};
  base::Pack s_r_{}, ds_r_{}, lift_{};
  base::Pack shift_y_{}, shift_z_{}, shift_dy_{}, shift_dz_{};
  PackVector turn_{}, shift_velocity_{};
  bool shifted_ = false;
  unsigned occupied_ = 0, on_line_ = 0;
  bool moved_ = false;  // rails
  base::Pack rail_y_{}, rail_z_{}, rail_dy_{}, rail_dz_{};
  PackVector across_{}, up_{};
  Sheet tread_, flange_;
  base::Pack rows_[4][6] = {}, dx_[4] = {}, u_[6] = {};
};

}  // namespace klingel::step
