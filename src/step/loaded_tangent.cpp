#include "step/loaded_tangent.hpp"

#include <algorithm>

#include "step/contact_forces.hpp"
#include "step/loaded_share.hpp"

namespace klingel::step {
namespace {

using base::Pack, base::splat;

// Small against what sheets approach each other (10 um and more) and slip that matters (some mm/s),
// large against rounding. Powers of two, so that places far from the origin change by exactly this:
// then rounding is the same on both sides. A turn about z changes slip, and places by little.
constexpr double by_place = 0x1p-25, by_yaw = 0x1p-23;  // m and rad
constexpr double by_motion = 3e-6;                      // m/s and rad/s
constexpr double by_rail_rate = 1e-5, by_friction = 1e-6;

constexpr std::size_t rotation = 3, twist = 6, bias = 13;  // first columns of dw

}  // namespace

struct LoadedTangent::Rows {
  double pose[LoadedSet::lanes][12], twist[LoadedSet::lanes][7], bias[LoadedSet::lanes][6];

  Rows(const Points& points, std::size_t set, const StepMotion& motion) {
    for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane) {
      const std::size_t w = points.wheelset(set, lane);
      std::copy_n(&motion.poses[12 * w], 12, pose[lane]);
      std::copy_n(&motion.twists[7 * w], 7, twist[lane]);
      std::copy_n(&motion.biases[6 * w], 6, bias[lane]);
    }
  }
  template <std::size_t size>
  static LoadedSet::Lanes lanes(const double (&rows)[LoadedSet::lanes][size]) {
    return {rows[0], rows[1], rows[2], rows[3]};
  }
};

bool LoadedTangent::describes(const Description& vehicle) {
  const ContactLaw& law = vehicle.data.law;
  return vehicle.data.loaded() && law.rail_stiffness == 0 && !law.foundation.given();
}

LoadedTangent::LoadedTangent(const Description& vehicle, Wanted wanted)
    : vehicle_(vehicle),
      wanted_(wanted),
      treads_(vehicle),
      friction_(vehicle.w),
      shifts_(vehicle.w),
      ways_(treads_.sets.size()),
      feet_(treads_.sets.size()) {
  const std::size_t wheelsets = vehicle.data.wheelsets.size(), wheels = vehicle.w;
  w_.resize(6 * wheelsets), dw_.resize(6 * columns * wheelsets);
  if (wanted.rails) dw_rails_.resize(6 * rail_columns * wheelsets);
  if (wanted.friction) dw_friction_.resize(6 * wheels);
  if (!wanted.forces) return;
  force_.resize(3 * wheels), dforce_.resize(3 * columns * wheels);
  if (wanted.rails) dforce_rails_.resize(3 * rail_columns * wheels);
  if (wanted.friction) dforce_friction_.resize(3 * wheels);
}

void LoadedTangent::shift_rail(std::size_t wheel, const RailShift& by) {
  const auto [set, lane] = treads_.tread.lane_of(wheel);
  shifts_[wheel] = by;
  treads_.sets[set].at.shift(lane, by);
}

LoadedTangent::Way LoadedTangent::way_of(std::size_t g) const {
  const LoadedSet& at = treads_.sets[g].at;
  const unsigned there = treads_.tread.occupied(g);
  return {treads_.tread.forces[g].acts & there, treads_.flange.forces[g].acts & there,
          (at.tread().has | at.flange().has << 4) & (there | there << 4),
          (at.tread().inside | at.flange().inside << 4) & (there | there << 4)};
}

LoadedTangent::Answer LoadedTangent::evaluate(std::size_t g, const Rows& rows) {
  LoadedSet& at = treads_.sets[g].at;
  at.set_s_r(feet_[g]);
  at.evaluate(Rows::lanes(rows.pose), Rows::lanes(rows.twist), Rows::lanes(rows.bias));
  find_sheet_forces(treads_, vehicle_, friction_, g);
  return wrench_of_step(treads_, g, u_end_, h_, theta_);
}

template <class Change>
bool LoadedTangent::differ(std::size_t g, const Rows& rows, double delta, Change change,
                           Answer& to) {
  Answer sides[2];
  bool same = true;
  for (const int side : {0, 1}) {
    Rows changed = rows;
    change(changed, side == 0 ? delta : -delta);
    sides[side] = evaluate(g, changed);
    same = same && way_of(g) == ways_[g];
    if (side == 1) change(changed, 0);
  }
  const Pack per = splat(1 / (2 * delta));
  for (int i = 0; i < 6; ++i) to.w[i] = per * (sides[0].w[i] - sides[1].w[i]);
  to.force = per * (sides[0].force - sides[1].force);
  return same;
}

void LoadedTangent::add(std::size_t g, std::size_t column, const Answer& by) {
  treads_.tread.each(g, [&](std::size_t lane, std::size_t wheel) {
    double* const to = &dw_[6 * (columns * treads_.tread.wheelset(g, lane) + column)];
    for (int i = 0; i < 6; ++i) to[i] += by.w[i][lane];
    if (!wanted_.forces) return;
    for (int i = 0; i < 3; ++i) dforce_[3 * (columns * wheel + column) + i] += by.force[i][lane];
  });
}

// By an acceleration at t dnu changes by W times it, gamma_n by -W_n, and
// forces turn with the rails; w and forces are linear in u_end.
void LoadedTangent::find_analytic(std::size_t g) {
  const LoadedTreads::Set& set = treads_.sets[g];
  LoadedShare share, answers;
  add_forces(treads_, g, h_, theta_, share);
  Answer by_bias[6], by_end[6];
  Pack S[4][4] = {};
  const Pack none[4] = {};
  for (const bool flange : {false, true}) {
    const LoadedSet::Sheet& sheet = flange ? set.at.flange() : set.at.tread();
    const SheetSpring& line = flange ? set.flange : set.tread;
    const PointForces& p = (flange ? treads_.flange : treads_.tread).forces[g];
    if (p.acts != 0) answers.add_creep(set.at, sheet, p, h_, theta_);
    if (base::bits(line.N > Pack{}) == 0) continue;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) S[i][j] += h_ / 2 * line.K * sheet.G[i] * sheet.G[j];
    if (!wanted_.forces) continue;
    const ContactSet::Frames& f = sheet.frame;
    const base::Mask acts = base::mask(p.acts), presses = acts & (p.N > Pack{});
    for (int c = 0; c < 6; ++c) {
      const Pack n_c = c < 3 ? Pack{} : sheet.n_r[c - 3];
      const Pack K_c = base::select(presses, line.K * f.W_n[c], Pack{});
      const Pack x = base::select(acts, theta_ * (p.C_xx * f.W_x[c]), Pack{});
      const Pack y = base::select(acts, theta_ * (p.C_yy * f.W_y[c] + p.C_yz * n_c), Pack{});
      for (int i = 0; i < 3; ++i) {
        const Pack creep = x * f.W_x[i] + y * f.W_y[i], normal = K_c * f.W_n[i];
        by_end[c].force[i] -= (h_ / 2 + line.damping) * normal + creep;
        by_bias[c].force[i] -= h_ * (h_ / 2 * normal + creep);
      }
    }
  }
  answers.add_normal(set.at, S, none);
  for (int c = 0; c < 6; ++c) {
    const PackVector pushed{answers.B[c], answers.B[6 + c], answers.B[12 + c]};
    const PackVector turned = cross(splat(h_ / 2) * set.at.turn(), pushed);
    for (int i = 0; i < 6; ++i) {
      by_bias[c].w[i] = -h_ * (i < 3 ? answers.B[6 * i + c] + turned[i] : answers.B[6 * i + c]);
      by_end[c].w[i] = -share.B[6 * i + c];
    }
    add(g, bias + static_cast<std::size_t>(c), by_bias[c]);
    add(g, u_end + static_cast<std::size_t>(c), by_end[c]);
  }
}

bool LoadedTangent::find(std::size_t g, const StepMotion& motion) {
  const Points& points = treads_.tread;
  const Rows rows(points, g, motion);
  gather<6>(points.rows(g, motion.twists_end, 6), u_end_);
  Answer by = evaluate(g, rows);
  ways_[g] = way_of(g);
  points.each(g, [&](std::size_t lane, std::size_t wheel) {
    double* const to = &w_[6 * points.wheelset(g, lane)];
    for (int i = 0; i < 6; ++i) to[i] += by.w[i][lane];
    for (int i = 0; i < 3 && wanted_.forces; ++i) force_[3 * wheel + i] = by.force[i][lane];
  });
  find_analytic(g);

  for (std::size_t c = 0; c < 3; ++c) {
    const auto displace = [c](Rows& r, double x) {
      for (auto& pose : r.pose) pose[c] += x;
    };
    if (!differ(g, rows, by_place, displace, by)) return false;
    add(g, c, by);
  }
  // about x and z of the base that does not spin: the axis y moves along z or
  // against x
  for (const std::size_t axis : {std::size_t{3}, std::size_t{9}}) {
    const auto turn = [&](Rows& r, double x) {
      for (std::size_t lane = 0; lane < LoadedSet::lanes; ++lane)
        for (std::size_t i = 0; i < 3; ++i)
          r.pose[lane][6 + i] += (axis == 3 ? x : -x) * rows.pose[lane][12 - axis + i];
    };
    if (!differ(g, rows, axis == 3 ? by_place : by_yaw, turn, by)) return false;
    for (std::size_t c = 0; c < 3; ++c) {
      const Pack e{rows.pose[0][axis + c], rows.pose[1][axis + c], rows.pose[2][axis + c],
                   rows.pose[3][axis + c]};
      Answer part;
      for (int i = 0; i < 6; ++i) part.w[i] = e * by.w[i];
      part.force = e * by.force;
      add(g, rotation + c, part);
    }
  }
  for (std::size_t c = 0; c < 7; ++c) {
    const auto move = [c](Rows& r, double x) {
      for (auto& speeds : r.twist) speeds[c] += x;
    };
    if (!differ(g, rows, by_motion, move, by)) return false;
    add(g, twist + c, by);
  }
  return find_by_rails(g, rows) && find_by_friction(g, rows);
}

bool LoadedTangent::find_by_rails(std::size_t g, const Rows& rows) {
  if (!wanted_.rails) return true;
  const Points& points = treads_.tread;
  LoadedSet& at = treads_.sets[g].at;
  for (std::size_t c = 0; c < rail_columns; ++c) {
    const auto move = [&](Rows&, double x) {
      points.each(g, [&](std::size_t lane, std::size_t wheel) {
        RailShift s = shifts_[wheel];
        const bool left = vehicle_.data.wheels[wheel].side == profile::Side::left;
        const double up = c % 3 == 2 ? (left ? x / 2 : -x / 2) : x;
        (c == 0 ? s.y : c == 3 ? s.dy : c < 3 ? s.z : s.dz) += c % 3 == 0 ? x : up;
        at.shift(lane, s);
      });
    };
    Answer by;
    if (!differ(g, rows, c < 3 ? by_place : by_rail_rate, move, by)) return false;
    points.each(g, [&](std::size_t lane, std::size_t wheel) {
      double* const to = &dw_rails_[6 * (rail_columns * points.wheelset(g, lane) + c)];
      for (int i = 0; i < 6; ++i) to[i] += by.w[i][lane];
      for (int i = 0; i < 3 && wanted_.forces; ++i)
        dforce_rails_[3 * (rail_columns * wheel + c) + i] = by.force[i][lane];
    });
  }
  return true;
}

bool LoadedTangent::find_by_friction(std::size_t g, const Rows& rows) {
  if (!wanted_.friction) return true;
  const Points& points = treads_.tread;
  double mu[LoadedSet::lanes] = {};
  points.each(g, [&](std::size_t lane, std::size_t wheel) { mu[lane] = friction_[wheel]; });
  const auto change = [&](Rows&, double x) {
    points.each(g, [&](std::size_t lane, std::size_t wheel) { friction_[wheel] = mu[lane] + x; });
  };
  Answer by;
  if (!differ(g, rows, by_friction, change, by)) return false;
  points.each(g, [&](std::size_t lane, std::size_t wheel) {
    for (int i = 0; i < 6; ++i) dw_friction_[6 * wheel + i] = by.w[i][lane];
    for (int i = 0; i < 3 && wanted_.forces; ++i)
      dforce_friction_[3 * wheel + i] = by.force[i][lane];
  });
  return true;
}

bool LoadedTangent::find(const StepMotion& motion, const VehicleState& state,
                         const std::vector<double>& friction, double h, double theta) {
  h_ = h, theta_ = theta;
  std::copy(friction.begin(), friction.end(), friction_.begin());
  take_feet(treads_, vehicle_, state);
  for (std::vector<double>* sums : {&w_, &dw_, &dw_rails_, &dforce_})
    std::fill(sums->begin(), sums->end(), 0.0);
  for (std::size_t g = 0; g < feet_.size(); ++g) {
    feet_[g] = treads_.sets[g].at.s_r();
    if (!find(g, motion)) return false;
  }
  return true;
}

}  // namespace klingel::step
