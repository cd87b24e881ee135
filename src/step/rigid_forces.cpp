// Forces at rigid treads and elastic flanges, and what they add to the implicit system, four points
// at a time.
#include <algorithm>
#include <cmath>

#include "step/contact_forces.hpp"
#include "step/rigid_treads.hpp"

namespace klingel::step {
namespace {

using base::Pack, base::splat;

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
  f.turning = turning_stiffness(f.frame, base::select(base::mask(f.acts), f.N_t, nothing));
  f.shift = nothing;
  if (base::bits(f.turning > nothing) == 0) return;
  const Pack* ds = points.sets[set].ds();
  const Pack shift = (ds[3] - ds[1]) / f.frame.cos_angle - f.motion.nu[1];
  f.shift = base::select(f.turning > nothing, shift, nothing);
}

// What points add to B and b. Creep: B += W^T C W, with W the wrenches W_x, W_y and W_z = (0, n_r),
// and h dnu as a slip that comes anyway.
struct RigidShare {
  Pack all[wrench_size] = {};  // B by rows, then b
  Pack* const B = all;
  Pack* const b = all + 36;

  RigidShare(const PointForces& p, double h, Scheme scheme) {
    const Pack *W_n = p.frame.W_n, *W_x = p.frame.W_x, *W_y = p.frame.W_y, *dnu = p.motion.dnu;
    Pack f[3] = {}, xx{}, yy{}, yz{}, zz{};
    if (scheme == Scheme::explicit_euler) {
      std::copy_n(p.f_t, 3, f);
    } else {
      xx = p.C_xx, yy = p.C_yy, yz = p.C_yz, zz = p.C_zz;
    }
    if (scheme == Scheme::imex) {
      f[0] = -h * (xx * dnu[0]);
      // the normal of t+h, not of t, or narrow hollows would excite oscillations:
      // B += h k W_y^T W_y
      f[1] = -h * (yy * dnu[1] + yz * dnu[2] + p.turning * p.shift);
      f[2] = -h * (zz * dnu[2] - yz * dnu[1]);
      yy += h * p.turning;
    }
    for (int r = 0; r < 6; ++r) {
      const Pack x = xx * W_x[r], y = yy * W_y[r], n = p.stiffness * W_n[r];
      for (int c = 0; c < 6; ++c) B[6 * r + c] = x * W_x[c] + y * W_y[c] + n * W_n[c];
      b[r] = W_x[r] * f[0] + W_y[r] * f[1] + W_n[r] * p.preload;
    }
    for (int r = 0; r < 6; ++r) {
      const Pack coupling = yz * W_y[r];
      for (int c = 0; c < 3; ++c) {
        B[6 * r + 3 + c] += coupling * W_n[c];
        B[6 * (3 + c) + r] -= coupling * W_n[c];
      }
    }
    for (int r = 0; r < 3; ++r) {
      const Pack spin = zz * W_n[r];
      for (int c = 0; c < 3; ++c) B[6 * (3 + r) + 3 + c] += spin * W_n[c];
      b[3 + r] += W_n[r] * f[2];
    }
  }
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
  f.frame = at.frames();
  f.motion = at.motions();
  if (by.elastic != 0) {
    const Pack delta = -at.tangents().phi_n;
    const Pack rate = -along(f.frame.W_n, at.twist());
    const contact::ElasticForceOf<Pack> e = contact::elastic_force(*by.law, delta, rate);
    const base::Mask presses = base::mask(by.elastic) & (e.N > nothing);
    f.acts |= base::bits(presses);
    f.N_t = base::select(presses, e.N, f.N_t);
    const Pack stiffness = h * e.dN_ddelta + e.dN_drate;
    // the normal turns while the wheel runs: closing speed at t+h is -(W_n u + h dW_n/dt u)
    const Pack preload = e.N - e.dN_drate * rate + stiffness * (h * f.motion.gamma_n);
    f.stiffness = base::select(presses, stiffness, nothing);
    f.preload = base::select(presses, preload, nothing);
  }
  if (f.acts == 0) return;
  find_creep(vehicle, friction, points, set);
  find_turning(points, set);
}

void find_forces(RigidTreads& treads, StepWork& s) {
  Points &tread = treads.tread, &flange = treads.flange;
  for (std::size_t g = 0; g < tread.sets.size(); ++g) {
    NormalForces by;
    Pack& gap = tread.forces[g].gap = nothing;
    tread.each(g, [&](std::size_t lane, std::size_t wheel) {
      const PointState& point = s.state.tread[wheel];
      if (!point.found) return;
      gap[lane] = tread.sets[g].tangents().phi_n[lane];
      if (!point.on) return;
      by.rigid |= 1u << lane;
      // a bilateral constraint may pull; its patch is that of the same force pushing
      by.N[lane] = std::abs(point.N);
    });
    find_point_forces(s.vehicle, s.friction, tread, g, by, s.h);
  }
  for (std::size_t g = 0; g < flange.sets.size(); ++g) {
    NormalForces by;
    by.law = &s.vehicle.data.law.flange;
    flange.each(g, [&](std::size_t lane, std::size_t wheel) {
      const PointState& point = s.state.flange[wheel];
      flange.forces[g].gap[lane] = point.gap;
      if (point.found && point.gap < 0) by.elastic |= 1u << lane;
    });
    find_point_forces(s.vehicle, s.friction, flange, g, by, s.h);
  }
}

void assemble(RigidTreads& treads, StepWork& s) {
  System& system = s.system;
  system.clear();
  for (std::size_t g = 0; g < treads.tread.sets.size(); ++g) {
    treads.tread.each(g, [&](std::size_t lane, std::size_t wheel) {
      system.active[wheel] = s.next.tread[wheel].on ? 1 : 0;
      // of a released wheel they are needed if it is caught in this step
      const bool found = s.state.tread[wheel].found;
      const ContactSet::Frames& frame = treads.tread.sets[g].frames();
      for (std::size_t i = 0; i < 6; ++i)
        system.W_n[6 * wheel + i] = found ? frame.W_n[i][lane] : 0;
    });
    for (const Points* points : {&treads.tread, &treads.flange}) {
      const PointForces& forces = points->forces[g];
      if (forces.acts == 0) continue;
      RigidShare share(forces, s.h, s.options.scheme);
      add_wrenches(system, *points, g, forces.acts, share.all);
    }
  }
  system.give(s.at_t.kernels, s.h, {s.h * s.h, s.h, s.h * s.h});
}

void set_constraint_rates(RigidTreads& treads, StepWork& s) {
  double* rates = &s.system.rhs[s.vehicle.n];
  const bool predicted = s.options.projections == Projections::predicted;
  for (std::size_t g = 0; g < treads.tread.sets.size(); ++g) {
    ContactSet& set = treads.tread.sets[g];
    const Pack gamma_n = set.motions().gamma_n;
    const Pack left = predicted ? along(set.frames().W_n, set.twist()) : nothing;
    treads.tread.each(g, [&](std::size_t lane, std::size_t i) {
      PointState& point = s.next.tread[i];
      const double last = predicted && point.steady ? point.gamma_n : gamma_n[lane];
      const double mean = gamma_n[lane] + (gamma_n[lane] - last) / 2;
      rates[i] = point.on ? s.h * mean - left[lane] : 0;
    });
  }
}

// Releases treads and flanges that would have to pull. True if there were none.
bool accept(RigidTreads& treads, StepWork& s) {
  bool good = true;
  for (std::size_t g = 0; g < treads.flange.sets.size(); ++g) {
    PointForces& f = treads.flange.forces[g];
    Pack N = nothing;
    if (f.acts != 0) {
      const SetMotion at_end(treads.flange, g, s.system.twists_end);
      N = f.preload - f.stiffness * along(f.frame.W_n, at_end.u);
    }
    treads.flange.each(g, [&](std::size_t lane, std::size_t wheel) {
      PointState& point = s.next.flange[wheel];
      point.N = 0;
      if ((f.acts >> lane & 1) == 0) return;
      point.N = std::max(0.0, N[lane]);
      if (N[lane] >= 0) return;
      f.acts &= ~(1u << lane);
      good = false;
    });
  }
  for (std::size_t i = 0; i < s.vehicle.w && s.vehicle.data.law.unilateral; ++i) {
    PointState& point = s.next.tread[i];
    if (!point.on || !(point.N < 0)) continue;
    s.log.note(Event::Kind::release, i, point.N);
    point.on = false;
    point.N = 0;
    const auto [set, lane] = treads.tread.lane_of(i);
    treads.tread.forces[set].acts &= ~(1u << lane);
    good = false;
  }
  return good;
}

// The forces that acted: those of the implicit system with its solution.
void record(RigidTreads& treads, StepWork& s) {
  const double share = s.options.scheme == Scheme::imex ? s.h : 0;
  const auto keep = [&](Points& points, const std::vector<PointState>& end) {
    for (std::size_t g = 0; g < points.sets.size(); ++g) {
      PointForces& p = points.forces[g];
      if (p.acts == 0) continue;
      points.each(g, [&](std::size_t lane, std::size_t wheel) { p.N[lane] = end[wheel].N; });
      std::copy_n(p.f_t, 3, p.f);
      if (s.options.scheme == Scheme::explicit_euler) continue;
      const SetMotion at(points, g, s.system.twists_end);
      const Pack along_y = along(p.frame.W_y, at.u), *dnu = p.motion.dnu;
      const Pack nu_x = along(p.frame.W_x, at.u) + share * dnu[0], nu_y = along_y + share * dnu[1],
                 nu_z = along_spin(p.frame.W_n, at.u) + share * dnu[2];
      p.f[0] = -(p.C_xx * nu_x);
      p.f[1] = -(p.C_yy * nu_y + p.C_yz * nu_z) - share * p.turning * (along_y + p.shift);
      p.f[2] = p.C_yz * nu_y - p.C_zz * nu_z;
    }
  };
  keep(treads.tread, s.next.tread);
  keep(treads.flange, s.next.flange);
  for (std::size_t g = 0; g < treads.tread.sets.size(); ++g) {
    const Pack gamma_n = treads.tread.sets[g].motions().gamma_n;
    treads.tread.each(g, [&](std::size_t lane, std::size_t i) {
      s.next.tread[i].gamma_n = gamma_n[lane];
    });
  }
  for (std::size_t i = 0; i < s.vehicle.w; ++i)
    s.log.note_flange(i, s.state.flange[i].N, s.next.flange[i].N, s.state.flange[i].gap);
}

}  // namespace klingel::step
