// Forces at the contacts and the implicit system they enter, four points at a time.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/dense_matrix.hpp"
#include "step/simulator_parts.hpp"

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
  constexpr double least = 0.5;  // 1/m: near the end of a branch there is no end to it
  const Pack sum = base::larger(frame.Kw_y + frame.Kr_y, splat(least));
  return N * base::larger(nothing, -frame.Kw_y * frame.Kr_y / sum);
}

// u of the wheelsets of a set
struct Twists {
  Pack u[6];
  Twists(const Points& points, std::size_t set, std::span<const double> of) {
    const ContactSet::Lanes rows = points.rows(set, of, 6);
    for (std::size_t i = 0; i < 6; ++i) u[i] = Pack{rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
  }
};

// What points add to B and b. Creep: B += W^T C W, with W the wrenches W_x, W_y and W_z = (0, n_r),
// and h dnu as a slip that comes anyway.
struct Shares {
  static constexpr std::size_t size = wrench_size;
  Pack all[size] = {};  // B by rows, then b
  Pack* const B = all;
  Pack* const b = all + 36;

  Shares(const PointForces& p, double h, Scheme scheme) {
    const Pack *W_n = p.frame.W_n, *W_x = p.frame.W_x, *W_y = p.frame.W_y, *dnu = p.motion.dnu;
    Pack f[3] = {}, xx{}, yy{}, yz{}, zz{};
    if (scheme == Scheme::explicit_euler) {
      std::copy_n(p.f_t, 3, f);
    } else {
      xx = p.C_xx, yy = p.C_yy, yz = p.C_yz, zz = p.C_zz;
    }
    if (scheme == Scheme::imex) {
      f[0] = -h * (xx * dnu[0]);
      // the normal of t+h, not of t, or narrow hollows would be shaken up: B += h k W_y^T W_y
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
void Simulator::Parts::press(Points& points, std::size_t set, const Pressing& by, double h) {
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
  if (f.acts != 0) creep(points, set);
}

// Patch, coefficients and creep law at t, with the normal forces given.
void Simulator::Parts::creep(Points& points, std::size_t set) {
  PointForces& f = points.forces[set];
  creep::CreepInputOf<Pack> in;
  in.N = base::select(base::mask(f.acts), f.N_t, nothing);
  const contact::HertzTable::Axes axes = around->hertz.axes(
      f.frame.Kw_x / 2, (f.frame.Kw_y + f.frame.Kr_y) / 2, in.N, data.law.B_floor);
  in.a = f.a = axes.a, in.b = f.b = axes.b;
  points.each(set, [&](std::size_t lane, std::size_t wheel) { in.mu[lane] = friction[wheel]; });
  in.G = data.law.G;
  in.c = around->kalker.at(axes.a, axes.b);
  for (int i = 0; i < 3; ++i) in.nu[i] = f.motion.nu[i];
  in.V = f.motion.V, in.V_floor = data.law.V_floor;
  const creep::CreepPack out = data.law.creep(in);
  const Pack per_V = 1 / out.V;
  f.C_xx = out.C_xx * per_V, f.C_yy = out.C_yy * per_V;
  f.C_yz = out.C_yz * per_V, f.C_zz = out.C_zz * per_V;
  for (int i = 0; i < 3; ++i) f.f_t[i] = out.f[i];
  f.saturation = out.factor;
  f.turning = turning_stiffness(f.frame, in.N);
  f.shift = nothing;
  if (base::bits(f.turning > nothing) == 0) return;
  const Pack* ds = points.sets[set].ds();
  const Pack shift = (ds[3] - ds[1]) / f.frame.cos_angle - f.motion.nu[1];
  f.shift = base::select(f.turning > nothing, shift, nothing);
}

void Simulator::Parts::contact_forces(double h) {
  results_known = false;
  for (std::size_t g = 0; g < tread.sets.size(); ++g) {
    Pressing by;
    Pack& gap = tread.forces[g].gap = nothing;
    tread.each(g, [&](std::size_t lane, std::size_t wheel) {
      const PointState& point = state.tread[wheel];
      if (!point.found) return;
      gap[lane] = tread.sets[g].tangents().phi_n[lane];
      if (!point.on) return;
      by.rigid |= 1u << lane;
      // a bilateral constraint may pull; its patch is that of the same force pushing
      by.N[lane] = std::abs(point.N);
    });
    press(tread, g, by, h);
  }
  for (std::size_t g = 0; g < flange.sets.size(); ++g) {
    Pressing by;
    by.law = &data.law.flange;
    flange.each(g, [&](std::size_t lane, std::size_t wheel) {
      const PointState& point = state.flange[wheel];
      flange.forces[g].gap[lane] = point.gap;
      if (point.found && point.gap < 0) by.elastic |= 1u << lane;
    });
    press(flange, g, by, h);
  }
}

// adds the points of a set to B and b of their wheelsets
void Simulator::Parts::add(const Points& points, std::size_t set, double h, Scheme scheme) {
  const PointForces& p = points.forces[set];
  if (p.acts == 0) return;
  Shares shares(p, h, scheme);
  // four numbers of a lane side by side
  for (std::size_t i = 0; i < shares.size; i += 4) {
    Pack* rows = shares.all + i;
    base::transpose(rows[0], rows[1], rows[2], rows[3]);
  }
  for (std::size_t lane = 0; lane < ContactSet::lanes; ++lane) {
    if ((p.acts >> lane & 1) == 0) continue;
    double* to = &Bb[Shares::size * points.wheelset(set, lane)];
    for (std::size_t i = 0; i < Shares::size; i += 4) {
      Pack sum;
      std::memcpy(&sum, to + i, sizeof sum);
      sum += shares.all[i + lane];
      std::memcpy(to + i, &sum, sizeof sum);
    }
  }
}

void Simulator::Parts::assemble(double h, const StepOptions& options) {
  std::fill(Bb.begin(), Bb.end(), 0.0);
  for (std::size_t g = 0; g < tread.sets.size(); ++g) {
    tread.each(g, [&](std::size_t lane, std::size_t wheel) {
      active[wheel] = next.tread[wheel].on ? 1 : 0;
      // of a released wheel they are needed if it is caught in this step
      const bool found = state.tread[wheel].found;
      const ContactSet::Frames& frame = tread.sets[g].frames();
      for (std::size_t i = 0; i < 6; ++i) W_n[6 * wheel + i] = found ? frame.W_n[i][lane] : 0;
    });
    for (const Points* points : {&tread, &flange}) add(*points, g, h, options.scheme);
  }
}

void Simulator::Parts::set_system(double h, const std::array<double, 3>& tangents) {
  runtime::KernelSet& k = at_t().kernels;
  k.set(id.h, 0, h);
  k.set(id.tangents, tangents);
  const std::span<double> B = k.memory(id.B), b = k.memory(id.b);
  for (std::size_t i = 0; i < data.wheelsets.size(); ++i) {
    std::copy_n(&Bb[wrench_size * i], 36, &B[36 * i]);
    std::copy_n(&Bb[wrench_size * i + 36], 6, &b[6 * i]);
  }
  k.changed(id.B);
  k.changed(id.b);
  k.set(id.W_n, W_n);
  k.set(id.active, active);
}

void Simulator::Parts::set_right_side(double h) {
  const std::span<const double> impulse = at_t().kernels.evaluate(id.impulse);
  std::copy_n(impulse.begin(), n, rhs.begin());
  for (std::size_t i = 0; i < w; ++i) rhs[n + i] = next.tread[i].on ? h * tread[i].gamma_n() : 0;
  ask_solution();
}

bool Simulator::Parts::solve_system() {
  if (!solve_rhs()) return false;
  for (std::size_t i = 0; i < n; ++i) dq_new[i] = state.dq[i] + x[i];
  for (std::size_t i = 0; i < w; ++i) next.tread[i].N = next.tread[i].on ? -x[n + i] : 0;
  at_t().kernels.set(id.dq_end, dq_new);
  return true;
}

// x = matrix^-1 rhs with the generated factors; by full pivoting if one of their pivots vanishes.
// False if there is no finite solution.
bool Simulator::Parts::solve_rhs() {
  if (method == LinearMethod::partitioning) return solve_partitioned();
  // the smallest pivots are those of the constraints, near h over the mass on a wheel
  constexpr double smallest_pivot = 1e-14;
  runtime::KernelSet& k = at_t().kernels;
  const std::span<const double> solution = k.evaluate(id.solve);
  x = solution.first(n + w);
  const auto finite = [this] {
    double sum = 0;
    for (const double value : x) sum += value;
    return std::isfinite(sum);
  };
  if (solution[n + w] > smallest_pivot && finite()) return true;
  note(Event::Kind::fallback, 0, solution[n + w]);
  const std::span<const double> values = k.evaluate(id.step_matrix);
  const klingel_output& matrix = k.abi().functions[id.step_matrix].outputs[0];
  runtime::fill_dense(matrix, values, dense);
  if (!dense.allFinite()) return false;
  pivoting.compute(dense);
  std::copy(rhs.begin(), rhs.end(), dense_rhs.data());
  dense_x = pivoting.solve(dense_rhs);
  x = {dense_x.data(), n + w};
  return pivoting.isInvertible() && finite();
}

// Releases treads and flanges that would have to pull. True if there were none.
bool Simulator::Parts::check_contacts() {
  bool good = true;
  twists_end = at_t().kernels.evaluate(id.twist_end);
  for (std::size_t g = 0; g < flange.sets.size(); ++g) {
    PointForces& f = flange.forces[g];
    Pack N = nothing;
    if (f.acts != 0)
      N = f.preload - f.stiffness * along(f.frame.W_n, Twists(flange, g, twists_end).u);
    flange.each(g, [&](std::size_t lane, std::size_t wheel) {
      PointState& point = next.flange[wheel];
      point.N = 0;
      if ((f.acts >> lane & 1) == 0) return;
      point.N = std::max(0.0, N[lane]);
      if (N[lane] >= 0) return;
      f.acts &= ~(1u << lane);
      good = false;
    });
  }
  for (std::size_t i = 0; i < w && data.law.unilateral; ++i) {
    PointState& point = next.tread[i];
    if (!point.on || !(point.N < 0)) continue;
    note(Event::Kind::release, i, point.N);
    point.on = false;
    point.N = 0;
    const Points::Place at = tread.place(i);
    tread.forces[at.set].acts &= ~(1u << at.lane);
    good = false;
  }
  return good;
}

// The forces that acted: those of the implicit system with its solution.
void Simulator::Parts::record_forces(double h, const StepOptions& options) {
  const double share = options.scheme == Scheme::imex ? h : 0;
  const auto record = [&](Points& points, const std::vector<PointState>& end) {
    for (std::size_t g = 0; g < points.sets.size(); ++g) {
      PointForces& p = points.forces[g];
      if (p.acts == 0) continue;
      points.each(g, [&](std::size_t lane, std::size_t wheel) { p.N[lane] = end[wheel].N; });
      std::copy_n(p.f_t, 3, p.f);
      if (options.scheme == Scheme::explicit_euler) continue;
      const Twists at(points, g, twists_end);
      const Pack along_y = along(p.frame.W_y, at.u), *dnu = p.motion.dnu;
      const Pack nu_x = along(p.frame.W_x, at.u) + share * dnu[0], nu_y = along_y + share * dnu[1],
                 nu_z = along_spin(p.frame.W_n, at.u) + share * dnu[2];
      p.f[0] = -(p.C_xx * nu_x);
      p.f[1] = -(p.C_yy * nu_y + p.C_yz * nu_z) - share * p.turning * (along_y + p.shift);
      p.f[2] = p.C_yz * nu_y - p.C_zz * nu_z;
    }
  };
  record(tread, next.tread);
  record(flange, next.flange);
  for (std::size_t i = 0; i < w; ++i) {
    const bool before = state.flange[i].N > 0, after = next.flange[i].N > 0;
    if (before != after)
      note(after ? Event::Kind::flange_on : Event::Kind::flange_off, i, state.flange[i].gap);
  }
}

// What the points did, as users see it; made when asked for.
void Simulator::Parts::tell_results() {
  if (results_known) return;
  results_known = true;
  const auto tell = [](const Points& points, std::vector<PointResult>& results) {
    for (std::size_t g = 0; g < points.forces.size(); ++g) {
      const PointForces& p = points.forces[g];
      points.each(g, [&](std::size_t lane, std::size_t wheel) {
        PointResult& r = results[wheel] = {};
        r.gap = p.gap[lane];
        if ((p.acts >> lane & 1) == 0) return;
        r.N = p.N[lane];
        for (std::size_t i = 0; i < 3; ++i) r.f[i] = p.f[i][lane], r.nu[i] = p.motion.nu[i][lane];
        r.V = p.motion.V[lane];
        r.a = p.a[lane], r.b = p.b[lane];
        r.saturation = p.saturation[lane];
        r.angle = std::atan2(p.frame.sin_angle[lane], p.frame.cos_angle[lane]);
        for (std::size_t i = 0; i < 6; ++i) {
          r.W_n[i] = p.frame.W_n[i][lane];
          r.W_x[i] = p.frame.W_x[i][lane], r.W_y[i] = p.frame.W_y[i][lane];
        }
      });
    }
  };
  tell(tread, tread_result);
  tell(flange, flange_result);
}

}  // namespace klingel::step
