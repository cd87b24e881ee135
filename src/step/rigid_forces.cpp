// Forces at rigid treads and elastic flanges, and what they add to the implicit system, four points
// at a time.
#include <algorithm>
#include <cmath>
#include <span>

#include "step/contact_forces.hpp"
#include "step/rigid_treads.hpp"

namespace klingel::step {
namespace {

using base::multiply_add, base::Pack, base::splat;

constexpr Pack nothing{};

// the moment about n_r
Pack along_spin(const Pack* W_n, const Pack* u) {
  return W_n[0] * u[3] + W_n[1] * u[4] + W_n[2] * u[5];
}

// What the turn of the normal with a shift d across the rail adds to the force, -turning d, where
// it pushes back: N Kw Kr / (Kw + Kr). Where it pulls on, on round treads, it is small.
Pack turning_stiffness(const ContactSet::Frames& frame, const Pack& N) {
  constexpr double least = 0.5;  // 1/m: near the end of a branch it would grow without bound
  const Pack sum = base::larger(frame.Kw_y + frame.Kr_y, splat(least));
  return N * base::larger(nothing, -frame.Kw_y * frame.Kr_y / sum);
}

void find_turning(Points& points, std::size_t set) {
  PointForces& f = points.forces[set];
  f.turning = turning_stiffness(*f.frame, base::select(base::mask(f.acts), f.N_t, nothing));
  f.shift = nothing;
  if (base::bits(f.turning > nothing) == 0) return;
  const Pack* ds = points.sets[set].ds();
  const Pack shift = (ds[3] - ds[1]) / f.frame->cos_angle - f.motion->nu[1];
  f.shift = base::select(f.turning > nothing, shift, nothing);
}

// The slip that secants of creep are taken at: that of t, or the one expected at t+h where it grows
// quickly, as before a tread point jumps. Of a wheel that slips, the secant of t would exceed
// friction at t+h by as much as its slip grows, and the step would be solved again. Where slip
// grows slowly that is rare, and the slip of t is nearer to what short steps give.
struct ExpectedSlip {
  Pack nu[3];

  ExpectedSlip(const Pack* now, const Pack* rate, double h) {
    std::copy_n(now, 3, nu);
    if (rate == nullptr) return;
    const Pack x = nu[0] + h * rate[0], y = nu[1] + h * rate[1];
    constexpr double quickly = 1.04;  // in one step
    const base::Mask grows = x * x + y * y > quickly * quickly * (nu[0] * nu[0] + nu[1] * nu[1]);
    nu[0] = base::select(grows, x, nu[0]);
    nu[1] = base::select(grows, y, nu[1]);
  }
};

// What a point adds to B and b: B += W^T C W with W the wrenches W_n, W_x, W_y and the moment W_z =
// (0, n_r), and b += W^T f. Elastic points press by C_nn and f_n. Creep has h dnu as a slip that
// comes anyway.
struct Coefficients {
  Pack nn{}, xx{}, yy{}, yz{}, zz{};  // of C; C_zy = -C_yz
  Pack f_n{}, f_x{}, f_y{}, f_z{};    // of f

  Coefficients(const PointForces& p, double h, Scheme scheme) : nn(p.stiffness), f_n(p.preload) {
    if (scheme == Scheme::explicit_euler) {
      f_x = p.f_t[0], f_y = p.f_t[1], f_z = p.f_t[2];
      return;
    }
    xx = p.C_xx, yy = p.C_yy, yz = p.C_yz, zz = p.C_zz;
    if (scheme != Scheme::imex) return;
    const Pack* dnu = p.motion->dnu;
    f_x = -h * (xx * dnu[0]);
    // the normal of t+h, not of t, or narrow hollows would excite oscillations:
    // B += h k W_y^T W_y
    f_y = -h * (yy * dnu[1] + yz * dnu[2] + p.turning * p.shift);
    f_z = -h * (zz * dnu[2] - yz * dnu[1]);
    yy += h * p.turning;
  }
};

// What points add to B, by rows, and b of four wheelsets.
class RigidShare {
 public:
  RigidShare(Pack* B, Pack* b) : B_(B), b_(b) {}
  // After all was added.
  void complete() {
    if (!empty_) return;
    std::fill_n(B_, B_size, nothing);
    std::fill_n(b_, b_size, nothing);
  }

  // Of points that are rigid, and of points that are elastic.
  void add_tread(const PointForces& p, double h, Scheme scheme) { add<false>(p, h, scheme); }
  void add_flange(const PointForces& p, double h, Scheme scheme) { add<true>(p, h, scheme); }

 private:
  template <bool elastic>
  void add(const PointForces& p, double h, Scheme scheme) {
    if (p.acts == 0) return;
    constexpr unsigned everyone = (1u << base::pack_lanes) - 1;
    if (p.acts == everyone) {
      add<elastic>(p.frame->W_n, p.frame->W_x, p.frame->W_y, Coefficients(p, h, scheme));
    } else {
      // points that do not act may be anywhere, and neither their wrenches nor what goes with
      // them may be numbers
      const base::Mask acts = base::mask(p.acts);
      const auto chosen = [&acts](const Pack& x) { return base::select(acts, x, nothing); };
      Pack W[18];
      for (int i = 0; i < 6; ++i) {
        W[i] = chosen(p.frame->W_n[i]);
        W[6 + i] = chosen(p.frame->W_x[i]);
        W[12 + i] = chosen(p.frame->W_y[i]);
      }
      Coefficients c(p, h, scheme);
      for (Pack* x : {&c.nn, &c.xx, &c.yy, &c.yz, &c.zz, &c.f_n, &c.f_x, &c.f_y, &c.f_z})
        *x = chosen(*x);
      add<elastic>(W, W + 6, W + 12, c);
    }
  }

  template <bool elastic>
  void add(const Pack* W_n, const Pack* W_x, const Pack* W_y, const Coefficients& c) {
    if (empty_)
      add<elastic, true>(W_n, W_x, W_y, c);
    else
      add<elastic, false>(W_n, W_x, W_y, c);
    empty_ = false;
  }

  template <bool elastic, bool first>
  void add(const Pack* W_n, const Pack* W_x, const Pack* W_y, const Coefficients& c) {
    // C W by rows
    Pack n[6], x[6], y[6], z[6];
    for (int i = 0; i < 6; ++i) {
      if constexpr (elastic) n[i] = c.nn * W_n[i];
      x[i] = c.xx * W_x[i], y[i] = c.yy * W_y[i], z[i] = -(c.yz * W_y[i]);
    }
    for (int i = 0; i < 3; ++i) {
      y[3 + i] = multiply_add(c.yz, W_n[i], y[3 + i]);
      z[3 + i] = multiply_add(c.zz, W_n[i], z[3 + i]);
    }
    // row r of W^T times a column of C W, or times f
    const auto sum = [&](Pack& to, int r, const Pack& by_n, const Pack& by_x, const Pack& by_y,
                         const Pack& by_z) {
      // a sum that begins with zero has no negative zeros
      Pack all = multiply_add(W_x[r], by_x, first ? nothing : to);
      all = multiply_add(W_y[r], by_y, all);
      if (r >= 3) all = multiply_add(W_n[r - 3], by_z, all);
      if constexpr (elastic) all = multiply_add(W_n[r], by_n, all);
      to = all;
    };
#pragma GCC unroll 6
    for (int r = 0; r < 6; ++r) {
      for (int i = 0; i < 6; ++i) sum(B_[6 * r + i], r, n[i], x[i], y[i], z[i]);
      sum(b_[r], r, c.f_n, c.f_x, c.f_y, c.f_z);
    }
  }

  Pack *const B_, *const b_;
  bool empty_ = true;
};

}  // namespace

// The normal forces of rigid points are given. An elastic point presses with N(delta, ddelta),
// which is stiff and therefore taken at t+h:
//   N + dN/ddelta h ddelta(t+h) + dN/drate (ddelta(t+h) - ddelta)
void find_point_forces(const Description& vehicle, const std::vector<double>& friction,
                       Points& points, std::size_t set, const NormalForces& by, double h) {
  PointForces& f = points.forces[set];
  ContactSet& at = points.sets[set];
  f.acts = by.rigid;
  f.N_t = by.N;
  f.stiffness = f.preload = nothing;
  if ((by.rigid | by.elastic) == 0) return;
  f.frame = &at.frames();
  f.motion = &at.motions();
  at.keep_frames();
  if (by.elastic != 0) {
    const Pack delta = -at.tangents().phi_n;
    const Pack rate = -along(f.frame->W_n, at.twist());
    const contact::ElasticForceOf<Pack> e = contact::elastic_force(*by.law, delta, rate);
    const base::Mask presses = base::mask(by.elastic) & (e.N > nothing);
    f.acts |= base::bits(presses);
    f.N_t = base::select(presses, e.N, f.N_t);
    const Pack stiffness = h * e.dN_ddelta + e.dN_drate;
    // the normal turns while the wheel runs: closing speed at t+h is -(W_n u + h dW_n/dt u)
    const Pack preload = e.N - e.dN_drate * rate + stiffness * (h * f.motion->gamma_n);
    f.stiffness = base::select(presses, stiffness, nothing);
    f.preload = base::select(presses, preload, nothing);
    if (by.ahead) {
      // N(t+h) if the wheel goes on as it moves: of a flange that unloads while it slides, creep
      // of N(t) would exceed friction
      constexpr double least = 0.1;  // of N(t)
      const Pack N_end = f.preload - f.stiffness * along(f.frame->W_n, at.twist());
      f.N_t = base::select(presses, base::larger(N_end, least * e.N), f.N_t);
    }
  }
  if (f.acts == 0) return;
  find_creep(vehicle, friction, points, set, ExpectedSlip(f.motion->nu, by.slip_rate, h).nu);
  find_turning(points, set);
}

void find_forces(RigidTreads& treads, StepWork& s) {
  Points &tread = treads.tread, &flange = treads.flange;
  const std::span sets(tread.sets);
  const bool imex = s.options.scheme == Scheme::imex;
  treads.renewals = 0;
  Pack load{};
  for (std::size_t g = 0; g < sets.size(); ++g) {
    const PointSetState& state = s.state.tread[g];
    const Pack phi_n = sets[g].tangents().phi_n;
    tread.forces[g].gap = base::select(base::mask(state.found), phi_n, nothing);
    NormalForces by;
    by.rigid = state.on & state.found;
    // a bilateral constraint may pull; its patch is that of the same force pushing
    by.N = base::select(base::mask(by.rigid), base::magnitude(state.N), nothing);
    if (imex) by.slip_rate = state.slip_rate;
    find_point_forces(s.vehicle, s.friction, tread, g, by, s.h);
    load += by.N;
  }
  treads.load = (load[0] + load[1] + load[2] + load[3]) / static_cast<double>(s.vehicle.w);
  for (std::size_t g = 0; g < sets.size(); ++g) {
    NormalForces by;
    by.law = &s.vehicle.data.law.flange;
    const PointSetState& state = s.state.flange[g];
    by.ahead = imex;
    if (imex) by.slip_rate = state.slip_rate;
    flange.forces[g].gap = state.gap;
    by.elastic = state.found & base::bits(state.gap < nothing);
    find_point_forces(s.vehicle, s.friction, flange, g, by, s.h);
  }
}

void assemble(RigidTreads& treads, StepWork& s) {
  System& system = s.system;
  system.clear(s.at_t.kernels);
  const std::span sets(treads.tread.sets);
  for (std::size_t g = 0; g < sets.size(); ++g) {
    // of a released wheel they are needed if it is caught in this step
    set_normals(system, treads.tread, g, s.state.tread[g].found, sets[g].frames().W_n);
    const unsigned on = s.next.tread[g].on;
    treads.tread.each(g, [&](std::size_t lane, std::size_t wheel) {
      system.active[wheel] = static_cast<double>(on >> lane & 1);
    });
  }
  for (std::size_t group = 0; group < treads.groups.size(); ++group) {
    // where four wheelsets are side by side, at once where they belong
    Pack wrenches[wrench_size];
    const bool there = system.side_by_side();
    RigidShare share(there ? system.B_of_four(group) : wrenches,
                     there ? system.b_of_four(group) : wrenches + B_size);
    for (const std::size_t g : treads.groups[group]) {
      share.add_tread(treads.tread.forces[g], s.h, s.options.scheme);
      share.add_flange(treads.flange.forces[g], s.h, s.options.scheme);
    }
    share.complete();
    if (there) continue;
    std::fill(wrenches + B_size + b_size, std::end(wrenches), nothing);
    give_wrenches(system, treads.tread, treads.groups, group, wrenches);
  }
  system.give(s.at_t.kernels, s.h, {s.h * s.h, s.h, s.h * s.h});
}

void set_constraint_rates(RigidTreads& treads, StepWork& s) {
  const Column<double> rates = s.system.rhs.from(s.vehicle.n);
  const bool predicted = s.options.projections == Projections::predicted;
  const std::span sets(treads.tread.sets);
  for (std::size_t g = 0; g < sets.size(); ++g) {
    ContactSet& set = sets[g];
    const PointSetState &state = s.state.tread[g], &next = s.next.tread[g];
    Pack rate = set.motions().gamma_n;
    if (predicted) {
      // gamma_n in the middle of the step, and what dq misses of the constraint
      constexpr double smooth = 1;  // m/s^2: where it jumps by more there is no trend to go on with
      const base::Mask goes_on =
          base::mask(state.steady) & (base::magnitude(rate - state.gamma_n) < splat(smooth));
      const Pack last = base::select(goes_on, state.gamma_n, rate);
      rate = s.h * (rate + (rate - last) / 2) - along(set.frames().W_n, set.twist());
    } else {
      rate = s.h * rate;
    }
    rate = base::select(base::mask(next.on), rate, nothing);
    treads.tread.each(g, [&](std::size_t lane, std::size_t i) { rates[i] = rate[lane]; });
  }
}

namespace {

// Slip velocities at t+h, and the creep forces by the secants of a step.
struct SlipAtEnd {
  Pack nu[3];

  SlipAtEnd(PointForces& p, const SetMotion& at, const StepWork& s) {
    const bool imex = s.options.scheme == Scheme::imex;
    const double share = imex ? s.h : 0;
    const Pack *dnu = p.motion->dnu, along_y = along(p.frame->W_y, at.u);
    nu[0] = along(p.frame->W_x, at.u) + share * dnu[0];
    nu[1] = along_y + share * dnu[1];
    nu[2] = along_spin(p.frame->W_n, at.u) + share * dnu[2];
    p.f[0] = -(p.C_xx * nu[0]);
    p.f[1] = -(p.C_yy * nu[1] + p.C_yz * nu[2]);
    p.f[2] = p.C_yz * nu[1] - p.C_zz * nu[2];
    for (int i = 0; i < 2; ++i) p.slip_rate[i] = (nu[i] - p.motion->nu[i]) / s.h;
    p.turned = imex ? -s.h * p.turning * (along_y + p.shift) : nothing;
  }
};

// Secants belong to N and slip at t. Where N falls or slip grows within the step the force would
// exceed mu N: they are then renewed at what was found. Lanes where that is so.
unsigned renew_slipping(Points& points, StepWork& s, std::size_t g, const SetMotion& at,
                        const Pack& N, double load, bool renew) {
  constexpr double beyond = 1.01;  // of mu N, and beside it
  constexpr double small = 5e-3;   // of the mean load of a wheel
  PointForces& p = points.forces[g];
  if (p.acts == 0) return 0;
  const SlipAtEnd slip(p, at, s);
  const Pack size = base::root(p.f[0] * p.f[0] + p.f[1] * p.f[1]);
  const Pack limit = points.gather(g, s.friction.data()) * base::magnitude(N);
  const unsigned slips = p.acts & base::bits(size > beyond * limit + splat(small * load));
  if (slips == 0 || !renew) return slips;
  p.N_t = base::select(base::mask(slips), base::magnitude(N), p.N_t);
  renew_creep(s.vehicle, s.friction, points, g, slips, slip.nu);
  return slips;
}

// True if no creep force exceeds friction, or no more is to be done about it.
bool limit_creep(RigidTreads& treads, StepWork& s) {
  constexpr int most = 4;
  if (s.options.scheme == Scheme::explicit_euler ||
      s.vehicle.data.law.creep.law == creep::CreepLaw::linear)
    return true;
  const bool renew = treads.renewals < most;
  bool good = true;
  for (std::size_t g = 0, sets = treads.sets.size(); g < sets; ++g) {
    if ((treads.tread.forces[g].acts | treads.flange.forces[g].acts) == 0) continue;
    const SetMotion& at = treads.end[treads.sets[g].group];
    const unsigned slips =
        renew_slipping(treads.tread, s, g, at, s.next.tread[g].N, treads.load, renew) |
        renew_slipping(treads.flange, s, g, at, s.next.flange[g].N, treads.load, renew);
    if (slips == 0) continue;
    good = false;
    if (!renew) count(s.log.doubts.creep, slips, treads.tread, g, s.state.t);
  }
  if (!good) ++treads.renewals;
  treads.creep_known = good || !renew;
  return treads.creep_known;
}

}  // namespace

// Releases treads and flanges that would have to pull, and limits creep. True if there was nothing
// to do.
bool accept(RigidTreads& treads, StepWork& s) {
  bool good = true;
  treads.creep_known = false;
  for (std::size_t i = 0; i < treads.groups.size(); ++i)
    treads.end[i].take(treads.tread, treads.groups[i].front(), s.system.twists_end);
  for (std::size_t g = 0, sets = treads.sets.size(); g < sets; ++g) {
    PointForces& f = treads.flange.forces[g];
    s.next.flange[g].N = nothing;
    if (f.acts != 0) {
      const Pack* u = treads.end[treads.sets[g].group].u;
      const Pack N = f.preload - f.stiffness * along(f.frame->W_n, u);
      const base::Mask presses = base::mask(f.acts) & (N >= nothing);
      s.next.flange[g].N = base::select(presses, N, nothing);
      good = good && base::bits(presses) == f.acts;
      f.acts = base::bits(presses);
    }
    PointSetState& tread = s.next.tread[g];
    const unsigned pulling = tread.on & base::bits(tread.N < nothing);
    if (pulling == 0 || !s.vehicle.data.law.unilateral) continue;
    each_lane(pulling, [&](std::size_t lane) {
      s.log.note(Event::Kind::release, treads.tread.wheel(g, lane), tread.N[lane]);
    });
    tread.on &= ~pulling;
    tread.N = base::select(base::mask(pulling), nothing, tread.N);
    treads.tread.forces[g].acts &= ~pulling;
    good = false;
  }
  return good && limit_creep(treads, s);
}

// The forces that acted: those of the implicit system with its solution.
void record(RigidTreads& treads, StepWork& s) {
  const auto keep = [&](PointForces& p, std::size_t g, PointSetState& end) {
    std::fill_n(end.slip_rate, 2, nothing);
    if (p.acts == 0) return;
    p.N = end.N;
    if (!treads.creep_known) {
      p.turned = nothing;
      std::copy_n(p.f_t, 3, p.f);
      if (s.options.scheme == Scheme::explicit_euler) return;
      SlipAtEnd(p, treads.end[treads.sets[g].group], s);
    }
    const base::Mask acted = base::mask(p.acts);
    for (int i = 0; i < 2; ++i) end.slip_rate[i] = base::select(acted, p.slip_rate[i], nothing);
  };
  const std::span sets(treads.tread.sets);
  for (std::size_t g = 0; g < sets.size(); ++g) {
    keep(treads.tread.forces[g], g, s.next.tread[g]);
    keep(treads.flange.forces[g], g, s.next.flange[g]);
    s.next.tread[g].gamma_n = sets[g].motions().gamma_n;
    note_flanges(s, treads.flange, g, s.state.flange[g].gap);
  }
}

}  // namespace klingel::step
