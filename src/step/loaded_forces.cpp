// Forces of loaded treads in a step: loaded_treads.hpp has the equations.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "step/contact_forces.hpp"
#include "step/loaded_share.hpp"
#include "step/loaded_treads.hpp"
#include "step/sheet_force.hpp"

namespace klingel::step {
namespace {

using base::multiply_add, base::Pack, base::splat, base::subtract_product;

// Cosine of the contact angle beyond which contact is on the flank.
constexpr double flank = 0.5;

// The line of N at an approach.
void take_line(SheetSpring& p, const Pack& delta) {
  const SheetForce<Pack> at = sheet_force(p.k, p.softness, delta);
  p.N = at.N, p.K = at.K, p.delta = delta;
}

// dx of wheelsets that move with u
void rates(const LoadedSet& set, const Pack* u, Pack* dx) {
  for (int i = 0; i < 4; ++i) dx[i] = along(set.rows()[i], u);
  if (set.is_shifted()) dx[0] -= set.sideways_rate();
}

// Motion of wheelsets against rails that are shifted.
void against_rails(const LoadedSet& set, Pack* u) {
  if (!set.is_shifted()) return;
  for (int i = 0; i < 3; ++i) u[i] -= set.shift_velocity()[i];
}

// The wrench b - B u with u the motion against shifted rails, as one of the motion.
void add_shift(const LoadedSet& set, LoadedShare& share) {
  if (!set.is_shifted()) return;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 3; ++j) share.b[i] += share.B[6 * i + j] * set.shift_velocity()[j];
}

// What the turning of rails within a step adds to a force, in its mean.
PackVector turned(const LoadedSet& set, double h, const PackVector& force) {
  return cross(splat(h / 2) * set.turn(), force);
}

// A sheet at t+h on a deflected rail: its approach, and the rate of phi.
struct SheetEnd {
  Pack delta, rate;

  SheetEnd(const LoadedSet& set, const LoadedSet::Sheet& sheet, const Pack& back,
           const Pack* dx_end, double h) {
    Pack mean = -h * sheet.motion.gamma_n;
    rate = sheet.G[0] * dx_end[0];
    for (int i = 1; i < 4; ++i) rate = multiply_add(sheet.G[i], dx_end[i], rate);
    for (int i = 0; i < 4; ++i) mean = multiply_add(sheet.G[i], set.dx()[i], mean);
    delta = -(sheet.phi + back + h / 2 * (mean + rate) + h * sheet.drift);
  }
  // The normal force by a line, with its damping.
  Pack force(const SheetSpring& line) const {
    return line.N + line.K * (delta - line.delta - line.damping * rate);
  }
};

// Structures of packs, one pack after another: as memory they would be copied by a string
// operation, which starts slowly.
template <class T>
void copy_packs(const T& from, T& to) {
  const auto* x = reinterpret_cast<const Pack*>(&from);
  auto* y = reinterpret_cast<Pack*>(&to);
#pragma GCC unroll 32
  for (std::size_t i = 0; i < sizeof(T) / sizeof(Pack); ++i) y[i] = x[i];
}

// Patch and creep law of some lanes, with the normal forces N_t and the slip nu.
void renew_creep(const Description& vehicle, const std::vector<double>& friction, Points& points,
                 std::size_t set, const LoadedSet::Sheet& sheet, unsigned who, const Pack* nu) {
  copy_packs(sheet.frame, points.frames[set].frame);
  copy_packs(sheet.motion, points.frames[set].motion);
  renew_creep(vehicle, friction, points, set, who, nu);
}

// Normal forces of a set in the step: S, from its diagonal to the right, and c of
// LoadedShare::add_normal.
struct NormalShare {
  Pack S[4][4], c[4];
  Pack now[4];  // c - S dx: what acts at the motion of t, by the rows

  void add(const LoadedSet& at, const LoadedSet::Sheet& sheet, const SheetSpring& line, double turn,
           double h, bool first) {
    const Pack *dx = at.dx(), *G = sheet.G, zero{};
    Pack rate = G[0] * dx[0];
    for (int i = 1; i < 4; ++i) rate = multiply_add(G[i], dx[i], rate);
    // N at t+h if the motion stayed that of t, but for the half step B u adds again
    const Pack N =
        line.N + line.K * (-sheet.phi - line.back - line.delta + h * h / 2 * sheet.motion.gamma_n -
                           h / 2 * rate - h * sheet.drift);
    const Pack K = (h / 2 + line.damping) * line.K, T = turn * h / 2 * line.N;
    const Pack N_now = subtract_product(K, rate, N), twice = T + T;
    for (int i = 0; i < 4; ++i) {
      const Pack KG = K * G[i];
      for (int j = i; j < 4; ++j)
        S[i][j] =
            multiply_add(KG, G[j], subtract_product(T, sheet.H[i][j], first ? zero : S[i][j]));
      c[i] = multiply_add(N, G[i], multiply_add(T, sheet.dG[i], first ? zero : c[i]));
      now[i] = multiply_add(N_now, G[i], multiply_add(twice, sheet.dG[i], first ? zero : now[i]));
    }
  }
};

}  // namespace

void add_forces(LoadedTreads& treads, std::size_t g, double h, double theta, LoadedShare& to) {
  LoadedTreads::Set& set = treads.sets[g];
  const PointForces &tread = treads.tread.forces[g], &flange = treads.flange.forces[g];
  PackVector creep, pressing;
  if (tread.acts != 0) creep = to.add_creep(set.at.tread(), tread, h, theta);
  if (flange.acts != 0) creep = creep + to.add_creep(set.at.flange(), flange, h, theta);
  // a tread that does not press adds zeros
  NormalShare normal;
  normal.add(set.at, set.at.tread(), set.tread, theta, h, true);
  if (base::bits(set.flange.N > Pack{}) != 0)
    normal.add(set.at, set.at.flange(), set.flange, theta_flange, h, false);
  // x(t+h) - x has the sideways shift of rails, which u does not have
  if (set.at.is_shifted())
    for (int i = 0; i < 4; ++i) normal.c[i] += normal.S[0][i] * set.at.sideways_rate();
  to.add_normal(set.at, normal.S, normal.c);
  for (int k = 0; k < 4; ++k) {
    const Pack* row = set.at.rows()[k];
    pressing = add(pressing, normal.now[k], {row[0], row[1], row[2]});
  }
  set.creep = creep, set.pressing = pressing;
  // forces turn with the rails within a step
  to.add(turned(set.at, h, creep + pressing));
}

namespace {

// Whether lines and secants of one sheet are good at the motion that was found.
class Acceptance {
 public:
  // end: motion at t+h of the wheelsets of the set, if the track does not give way.
  Acceptance(const LoadedTreads& treads, const StepWork& s, std::size_t g, const SetMotion& end)
      : s_(s), g_(g), at_(treads.sets[g].at), end_(end) {
    if (treads.track.given())
      end_ = treads.track.relative(treads.tread, g, at_, s.system.twists_end);
    against_rails(at_, end_.u);
    rates(at_, end_.u, dx_);
    load_ = treads.sets[g].load;
    mu_ = treads.tread.gather(g, s.friction.data());
    occupied_ = treads.tread.occupied(g);
  }

  // Renews what is not good; lanes that slip are added to `slipping`.
  bool check(Points& points, const LoadedSet::Sheet& sheet, SheetSpring& line,
             unsigned& slipping) const {
    constexpr double tolerance = 2e-3;  // of the static load
    constexpr double beyond = 1.01;     // of mu N
    if (sheet.has == 0) return true;
    const unsigned there = sheet.has & occupied_;
    const SheetEnd end(at_, sheet, line.back, dx_, s_.h);
    const SheetForce<Pack> exact = sheet_force(line.k, line.softness, end.delta);
    const Pack by_line = line.N + line.K * (end.delta - line.delta);
    const unsigned off = base::bits(base::magnitude(exact.N - by_line) > tolerance * load_) & there;
    PointForces& p = points.forces[g_];
    p.N = base::larger(end.force(line), Pack{});
    Pack nu[3];
    find_creep_at_end(sheet, p, nu);
    const Pack size = base::root(p.f[0] * p.f[0] + p.f[1] * p.f[1]);
    unsigned slips = p.acts & base::bits(size > beyond * mu_ * p.N + 1e-3 * load_);
    if (s_.vehicle.data.law.creep.law == creep::CreepLaw::linear) slips = 0;
    slipping |= slips;
    if ((off | slips) == 0) return true;
    const base::Mask renewed = base::mask(off);
    line.N = base::select(renewed, exact.N, line.N);
    line.K = base::select(renewed, exact.K, line.K);
    line.delta = base::select(renewed, end.delta, line.delta);
    const Pack pressing = exact.N - line.damping * exact.K * end.rate;
    p.N_t = base::select(base::mask(off | slips), pressing, p.N_t);
    const unsigned pressed = base::bits(pressing > Pack{});
    const base::Mask gone = base::mask(off & ~pressed);
    for (Pack* C : {&p.C_xx, &p.C_yy, &p.C_yz, &p.C_zz}) *C = base::select(gone, Pack{}, *C);
    p.acts &= ~(off & ~pressed);
    const unsigned who = (off | slips) & pressed;
    if (who != 0) renew_creep(s_.vehicle, s_.friction, points, g_, sheet, who, nu);
    return false;
  }

 private:
  // Slip and creep forces of t + theta h.
  void find_creep_at_end(const LoadedSet::Sheet& sheet, PointForces& p, Pack* nu) const {
    const Pack share = splat(s_.options.theta), share_h = share * s_.h, *u_t = at_.u();
    Pack mean[6];
    for (int i = 0; i < 6; ++i) mean[i] = multiply_add(share, end_.u[i] - u_t[i], u_t[i]);
    const Pack *dnu = sheet.motion.dnu, *w = mean + 3;
    const PackVector& n = sheet.n_r;
    nu[0] = multiply_add(share_h, dnu[0], along(sheet.frame.W_x, mean));
    nu[1] = multiply_add(share_h, dnu[1], along(sheet.frame.W_y, mean));
    nu[2] = multiply_add(share_h, dnu[2], dot(n, {w[0], w[1], w[2]}));
    p.f[0] = -(p.C_xx * nu[0]);
    p.f[1] = -(p.C_yy * nu[1] + p.C_yz * nu[2]);
    p.f[2] = p.C_yz * nu[1] - p.C_zz * nu[2];
  }

  const StepWork& s_;
  std::size_t g_;
  const LoadedSet& at_;
  SetMotion end_;
  Pack dx_[4], load_{}, mu_{};
  unsigned occupied_ = 0;
};

void count_doubts(const LoadedTreads& treads, std::size_t g, double t, Doubts& doubts) {
  const LoadedSet& at = treads.sets[g].at;
  unsigned outside = 0, steep = 0;
  for (auto [points, sheet] :
       {std::pair(&treads.tread, &at.tread()), {&treads.flange, &at.flange()}}) {
    outside |= points->forces[g].acts & ~sheet->inside;
    steep |= points->forces[g].acts & base::bits(sheet->frame.cos_angle < splat(flank));
  }
  if ((outside | steep | treads.slipping[g]) == 0) return;
  count(doubts.chart, outside, treads.tread, g, t);
  count(doubts.flank, steep, treads.tread, g, t);
  count(doubts.creep, treads.slipping[g], treads.tread, g, t);
}

// Work of the forces of a set in a step: wrenches times its mean motion.
struct SetWork {
  Pack normal{}, creep{};

  SetWork(const LoadedTreads& treads, const StepWork& s, std::size_t g) {
    const LoadedTreads::Set& set = treads.sets[g];
    SetMotion motion = treads.track.relative(treads.tread, g, set.at, s.system.twists_end);
    Pack *u = motion.u, dx_end[4], dx[4];
    against_rails(set.at, u);
    rates(set.at, u, dx_end);
    for (int i = 0; i < 6; ++i) u[i] = s.h / 2 * (u[i] + set.at.u()[i]);
    for (int i = 0; i < 4; ++i) dx[i] = s.h / 2 * (set.at.dx()[i] + dx_end[i]);
    const auto add = [&](const LoadedSet::Sheet& sheet, const SheetSpring& line,
                         const PointForces& p, double turn) {
      if (sheet.has == 0) return;
      if (p.acts != 0) {
        const Pack slip[3] = {along(sheet.frame.W_x, u), along(sheet.frame.W_y, u),
                              sheet.n_r.x * u[3] + sheet.n_r.y * u[4] + sheet.n_r.z * u[5]};
        const Pack power = p.f[0] * slip[0] + p.f[1] * slip[1] + p.f[2] * slip[2];
        creep += base::select(base::mask(p.acts), power, Pack{});
      }
      const Pack N = SheetEnd(set.at, sheet, line.back, dx_end, s.h).force(line);
      for (int i = 0; i < 4; ++i) {
        Pack force = N * sheet.G[i];
        for (int j = 0; j < 4; ++j)
          force += turn * line.N * sheet.H[std::min(i, j)][std::max(i, j)] * dx[j];
        normal += force * dx[i];
      }
    };
    const PackVector path{u[0], u[1], u[2]};
    normal += dot(turned(set.at, s.h, set.pressing), path);
    creep += dot(turned(set.at, s.h, set.creep), path);
    add(set.at.tread(), set.tread, treads.tread.forces[g], s.options.theta);
    add(set.at.flange(), set.flange, treads.flange.forces[g], theta_flange);
  }
};

}  // namespace

void find_sheet_forces(LoadedTreads& treads, const Description& vehicle,
                       const std::vector<double>& friction, std::size_t g) {
  LoadedTreads::Set& set = treads.sets[g];
  take_line(set.tread, -set.at.tread().phi);
  take_line(set.flange, -set.at.flange().phi - set.flange.back);
  for (auto [points, sheet, line] : {std::tuple(&treads.tread, &set.at.tread(), &set.tread),
                                     {&treads.flange, &set.at.flange(), &set.flange}}) {
    PointForces& p = points->forces[g];
    p.gap = base::select(base::mask(sheet->has), sheet->phi, Pack{});
    p.N_t = line->N;
    p.acts = 0;
    const unsigned who = base::bits(line->N > Pack{}) & treads.tread.occupied(g);
    if (who != 0)
      renew_creep(vehicle, friction, *points, g, *sheet, who, sheet->motion.nu);
    else
      p.C_xx = p.C_yy = p.C_yz = p.C_zz = Pack{};
  }
}

void find_sheet_forces(LoadedTreads& treads, const Description& vehicle,
                       const std::vector<double>& friction) {
  for (std::size_t g = 0; g < treads.sets.size(); ++g)
    find_sheet_forces(treads, vehicle, friction, g);
}

void find_forces(LoadedTreads& treads, StepWork& s) {
  let_rails_yield(treads, s.vehicle, s.state, s.h);
  find_sheet_forces(treads, s.vehicle, s.friction);
}

void assemble(LoadedTreads& treads, StepWork& s) {
  const double h = s.h, theta = s.options.theta;
  s.system.clear(s.at_t.kernels);
  treads.track.begin(s.state.track, h, theta);
  for (std::size_t group = 0; group < treads.groups.size(); ++group) {
    LoadedShare share;
    for (const std::size_t g : treads.groups[group]) {
      if (!treads.sets[g].at.is_shifted() && !treads.track.given()) {
        add_forces(treads, g, h, theta, share);
        continue;
      }
      // rails move, each by what acts on it
      const LoadedSet& at = treads.sets[g].at;
      LoadedShare own;
      add_forces(treads, g, h, theta, own);
      for (std::size_t i = 0; i < B_size; ++i) share.B[i] += own.B[i];
      own.complete();
      add_shift(at, own);
      if (treads.track.given()) treads.track.add(treads.tread, g, at, own);
      for (std::size_t i = 0; i < b_size; ++i) share.b[i] += own.b[i];
    }
    if (s.system.side_by_side()) {
      share.complete(s.system.B_of_four(group), s.system.b_of_four(group));
      continue;
    }
    share.complete();
    give_wrenches(s.system, treads.tread, treads.groups, group, share.all);
  }
  treads.track.eliminate(s.system);
  s.system.give(s.at_t.kernels, h, {theta * h * h / 2, theta * h, theta * h * h});
}

void set_constraint_rates(LoadedTreads&, StepWork& s) {
  for (std::size_t i = 0; i < s.vehicle.w; ++i) s.system.rhs[s.vehicle.n + i] = 0;
}

// Whether the lines and secants of this solution are good; where not, they are renewed.
bool accept(LoadedTreads& treads, StepWork& s) {
  bool good = true;
  treads.track.find_end(s.system.twists_end);
  for (const std::vector<std::size_t>& group : treads.groups) {
    const SetMotion end(treads.tread, group.front(), s.system.twists_end);
    for (const std::size_t g : group) {
      LoadedTreads::Set& set = treads.sets[g];
      const Acceptance acceptance(treads, s, g, end);
      unsigned& slipping = treads.slipping[g];
      slipping = 0;
      good = acceptance.check(treads.tread, set.at.tread(), set.tread, slipping) && good;
      good = acceptance.check(treads.flange, set.at.flange(), set.flange, slipping) && good;
    }
  }
  if (!good) ++s.log.newton_q;
  return good;
}

// What acted, and its work if the energy balance is kept.
void record(LoadedTreads& treads, StepWork& s) {
  treads.work = {};
  treads.work.track = treads.track.end(s.state.track, s.h, s.next.track);
  for (std::size_t g = 0; g < treads.sets.size(); ++g) {
    const LoadedTreads::Set& set = treads.sets[g];
    if (s.options.balance) {
      const SetWork work(treads, s, g);
      treads.tread.each(g, [&](std::size_t lane, std::size_t) {
        treads.work.normal += work.normal[lane];
        treads.work.creep += work.creep[lane];
      });
    }
    count_doubts(treads, g, s.state.t, s.log.doubts);
    const PointForces &t = treads.tread.forces[g], &f = treads.flange.forces[g];
    PointSetState& flange = s.next.flange[g];
    s.next.tread[g].N = base::select(base::mask(t.acts), t.N, Pack{});
    flange.N = base::select(base::mask(f.acts), f.N, Pack{});
    flange.deflection = set.flange.back + set.flange.softness * flange.N;
    note_flanges(s, treads.flange, g, f.gap);
  }
}

void add_forces_of_now(LoadedTreads& treads, System& system, double h) {
  system.clear();
  for (std::size_t g = 0; g < treads.sets.size(); ++g) {
    const LoadedTreads::Set& set = treads.sets[g];
    LoadedShare share, creep;
    Pack S[4][4] = {}, c[4] = {};
    for (auto [points, sheet, line] : {std::tuple(&treads.tread, &set.at.tread(), &set.tread),
                                       {&treads.flange, &set.at.flange(), &set.flange}}) {
      PointForces& p = points->forces[g];
      p.N = p.N_t;
      std::copy_n(p.f_t, 3, p.f);
      if (p.acts == 0) continue;
      creep.add_creep(*sheet, p, 0, 1);
      Pack rate{};
      for (int i = 0; i < 4; ++i) rate += sheet->G[i] * set.at.dx()[i];
      const Pack N = base::larger(line->N - line->damping * line->K * rate, Pack{});
      const Pack K = (h + line->damping) * line->K;
      p.N = base::select(base::mask(p.acts), N, Pack{});
      for (int i = 0; i < 4; ++i) {
        for (int j = i; j < 4; ++j)
          S[i][j] += K * sheet->G[i] * sheet->G[j] - h * N * sheet->H[i][j];
        c[i] += N * sheet->G[i];
      }
    }
    creep.complete();
    share.add_normal(set.at, S, c);
    share.complete();
    for (std::size_t i = 0; i < B_size; ++i) share.B[i] += creep.B[i];
    for (int i = 0; i < 6; ++i) share.b[i] -= along(creep.B + 6 * i, set.at.u());
    add_wrenches(system, treads.tread, g, treads.tread.occupied(g), share.all);
  }
}

}  // namespace klingel::step
