// Forces at the contacts and the implicit system they enter.
#include <algorithm>
#include <cmath>

#include "run/dense_matrix.hpp"
#include "run/simulator_parts.hpp"

namespace klingel::run {
namespace {

double along(const Wrench& W, std::span<const double> u) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += W[i] * u[i];
  return sum;
}

// the three directions of slip as wrenches: t_rx, t_ry, and the moment about n_r
struct SlipWrenches {
  std::array<Wrench, 3> W;
  explicit SlipWrenches(const PointResult& r)
      : W{r.W_x, r.W_y, Wrench{0, 0, 0, r.W_n[0], r.W_n[1], r.W_n[2]}} {}
};

// What the turn of the normal with a shift d across the rail adds to the force, -turning d, where
// it pushes back: N Kw Kr / (Kw + Kr). Where it pulls on, on round treads, it is small.
double turning_stiffness(const Contact::Frame& frame, double N) {
  constexpr double least = 0.5;  // 1/m: near the end of a branch there is no end to it
  const double sum = std::max(frame.Kw_y + frame.Kr_y, least);
  return N * std::max(0.0, -frame.Kw_y * frame.Kr_y / sum);
}

}  // namespace

void fade(PointState& point, double h) noexcept {
  constexpr double nothing = 1e-12;  // m
  if (point.offset == 0) return;
  const double decay = std::exp(-h / offset_time);
  const double slope = point.offset_rate + point.offset / offset_time;
  point.offset = (point.offset + slope * h) * decay;
  point.offset_rate = slope * decay - point.offset / offset_time;
  if (std::abs(point.offset) < nothing) point.offset = point.offset_rate = 0;
}

// Patch, coefficients and creep law of a touching point at t, with the normal force given.
void Simulator::Parts::creep_force(std::size_t wheel, Contact& contact, double N,
                                   PointResult& result, PointForce& force) {
  const Contact::Frame& frame = contact.frame();
  const Contact::Motion& motion = contact.motion();
  result.W_n = frame.W_n, result.W_x = frame.W_x, result.W_y = frame.W_y;
  result.angle = frame.angle;
  result.nu = motion.nu;
  result.V = motion.V;
  const wheelrail::Curvatures K{frame.Kw_x / 2, (frame.Kw_y + frame.Kr_y) / 2};
  const wheelrail::HertzPatch patch = hertz.patch(K, N, data.law.B_floor);
  result.a = patch.a, result.b = patch.b;
  wheelrail::CreepInput in;
  in.a = patch.a, in.b = patch.b, in.N = N;
  in.mu = friction[wheel], in.G = data.law.G;
  if (patch.a > 0) in.c = kalker.at(patch.a, patch.b);
  for (int i = 0; i < 3; ++i) in.nu[i] = motion.nu[i];
  in.V = motion.V, in.V_floor = data.law.V_floor;
  force.creep = data.law.creep(in);
  result.saturation = force.creep.factor;
  force.turning = turning_stiffness(frame, N);
  if (force.turning > 0) {
    const std::array<double, 4>& ds = contact.last_rates();
    force.shift = (ds[3] - ds[1]) / std::cos(frame.angle) - motion.nu[1];
  }
  force.acts = true;
}

// An elastic point presses with N(delta, ddelta), which is stiff and therefore taken at t+h:
//   N + dN/ddelta h ddelta(t+h) + dN/drate (ddelta(t+h) - ddelta)
void Simulator::Parts::elastic_force(std::size_t wheel, Contact& contact,
                                     const wheelrail::ElasticContact& law, double h,
                                     PointResult& result, PointForce& force, const PointState* soft,
                                     double offset_rate_end) {
  double delta = -contact.tangent().phi_n;
  result.gap = -delta;
  if (soft != nullptr) delta -= soft->offset;
  if (!(delta > 0)) return;
  double rate = -along(contact.frame().W_n, at_t().twist(data.wheels[wheel].wheelset));
  if (soft != nullptr) rate -= soft->offset_rate;
  const wheelrail::ElasticForce N = wheelrail::elastic_force(law, delta, rate);
  if (!(N.N > 0)) return;
  force.stiffness = h * N.dN_ddelta + N.dN_drate;
  // the normal turns while the wheel runs: closing speed at t+h is -(W_n u + h dW_n/dt u)
  force.preload =
      N.N - N.dN_drate * rate + force.stiffness * (h * contact.motion().gamma_n - offset_rate_end);
  creep_force(wheel, contact, N.N, result, force);
}

void Simulator::Parts::contact_forces(double h) {
  for (std::size_t i = 0; i < w; ++i) {
    tread_force[i] = flange_force[i] = rival_force[i] = {};
    tread_result[i] = flange_result[i] = rival_result[i] = {};
    if (data.law.tread) {
      if (state.tread[i].found)
        elastic_force(i, tread[i], *data.law.tread, h, tread_result[i], tread_force[i]);
    } else if (state.tread[i].on) {
      tread_result[i].gap = tread[i].tangent().phi_n;
      // a bilateral constraint may pull; its patch is that of the same force pushing
      creep_force(i, tread[i], std::abs(state.tread[i].N), tread_result[i], tread_force[i]);
    } else if (state.tread[i].soft) {
      elastic_force(i, tread[i], data.law.rival, h, tread_result[i], tread_force[i],
                    &state.tread[i], next.tread[i].offset_rate);
    } else if (state.tread[i].found) {
      // needed if the wheel is caught in this step
      tread_result[i].W_n = tread[i].frame().W_n;
      tread_result[i].gap = tread[i].tangent().phi_n;
    }
    flange_result[i].gap = state.flange[i].gap;
    if (state.flange[i].found && state.flange[i].gap < 0)
      elastic_force(i, flange[i], data.law.flange, h, flange_result[i], flange_force[i]);
    rival_result[i].gap = state.rival[i].gap;
    if (state.rival[i].found && state.rival[i].gap < 0)
      elastic_force(i, rival[i], data.law.rival, h, rival_result[i], rival_force[i]);
  }
}

void Simulator::Parts::assemble(double h, const StepOptions& options) {
  std::fill(B.begin(), B.end(), 0.0);
  std::fill(b.begin(), b.end(), 0.0);
  const bool implicit = options.scheme != Scheme::explicit_euler;
  const auto add = [&](std::size_t wheel, Contact& contact, const PointResult& result,
                       const PointForce& force) {
    double* Bk = &B[36 * data.wheels[wheel].wheelset];
    double* bk = &b[6 * data.wheels[wheel].wheelset];
    const SlipWrenches slip(result);
    const double per_V = 1 / force.creep.V;
    // creep: B += W^T (C/V) W, and h dnu as a slip that comes anyway
    std::array<double, 3> f{};
    const std::array<double, 3>& dnu = contact.motion().dnu;
    for (int i = 0; i < 3; ++i) {
      if (!implicit) {
        f[i] = force.creep.f[i];
      } else if (options.scheme == Scheme::imex) {
        for (int j = 0; j < 3; ++j) f[i] -= force.creep.C[3 * i + j] * per_V * h * dnu[j];
      }
      for (int r = 0; r < 6; ++r) bk[r] += slip.W[i][r] * f[i];
    }
    if (implicit) {
      for (int i = 0; i < 3; ++i) {
        Wrench y{};
        for (int j = 0; j < 3; ++j) {
          const double c_ij = force.creep.C[3 * i + j] * per_V;
          for (int c = 0; c < 6; ++c) y[c] += c_ij * slip.W[j][c];
        }
        for (int r = 0; r < 6; ++r) {
          for (int c = 0; c < 6; ++c) Bk[6 * r + c] += slip.W[i][r] * y[c];
        }
      }
    }
    // the normal of t+h, not of t, or narrow hollows would be shaken up: B += h k W_y^T W_y
    if (options.scheme == Scheme::imex && force.turning > 0) {
      for (int r = 0; r < 6; ++r) {
        const double push = h * force.turning * result.W_y[r];
        bk[r] -= push * force.shift;
        for (int c = 0; c < 6; ++c) Bk[6 * r + c] += push * result.W_y[c];
      }
    }
    if (force.stiffness == 0) return;
    for (int r = 0; r < 6; ++r) {
      bk[r] += result.W_n[r] * force.preload;
      for (int c = 0; c < 6; ++c) Bk[6 * r + c] += force.stiffness * result.W_n[r] * result.W_n[c];
    }
  };
  for (std::size_t i = 0; i < w; ++i) {
    std::copy(tread_result[i].W_n.begin(), tread_result[i].W_n.end(), &W_n[6 * i]);
    active[i] = holds(next.tread[i]) ? 1 : 0;
    if (tread_force[i].acts) add(i, tread[i], tread_result[i], tread_force[i]);
    if (flange_force[i].acts) add(i, flange[i], flange_result[i], flange_force[i]);
    if (rival_force[i].acts) add(i, rival[i], rival_result[i], rival_force[i]);
  }
}

bool Simulator::Parts::solve_system(double h) {
  KernelSet& k = at_t().kernels;
  k.set(id.h, 0, h);
  k.set(id.B, B);
  k.set(id.b, b);
  k.set(id.W_n, W_n);
  k.set(id.active, active);
  const std::span<const double> impulse = k.evaluate(id.impulse);
  std::copy_n(impulse.begin(), n, rhs.begin());
  for (std::size_t i = 0; i < w; ++i) {
    rhs[n + i] = 0;
    if (!holds(next.tread[i])) continue;
    const double fading = next.tread[i].offset_rate - state.tread[i].offset_rate;
    rhs[n + i] = h * tread[i].motion().gamma_n - fading;
  }
  if (!solve_rhs()) return false;
  for (std::size_t i = 0; i < n; ++i) dq_new[i] = state.dq[i] + x[i];
  for (std::size_t i = 0; i < w; ++i) next.tread[i].N = holds(next.tread[i]) ? -x[n + i] : 0;
  return true;
}

// x = matrix^-1 rhs with the generated factors; by full pivoting if one of their pivots vanishes.
// False if there is no finite solution.
bool Simulator::Parts::solve_rhs() {
  if (method == LinearMethod::partitioning) return solve_partitioned();
  // the smallest pivots are those of the constraints, near h over the mass on a wheel
  constexpr double smallest_pivot = 1e-14;
  KernelSet& k = at_t().kernels;
  k.set(id.rhs, rhs);
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
  fill_dense(matrix, values, dense);
  if (!dense.allFinite()) return false;
  pivoting.compute(dense);
  std::copy(rhs.begin(), rhs.end(), dense_rhs.data());
  dense_x = pivoting.solve(dense_rhs);
  x = {dense_x.data(), n + w};
  return pivoting.isInvertible() && finite();
}

// Releases treads and elastic points that would have to pull. True if there were none.
bool Simulator::Parts::check_contacts() {
  bool good = true;
  at_t().kernels.set(id.dq_end, dq_new);
  twists_end = at_t().kernels.evaluate(id.twist_end);
  const auto check = [&](std::size_t wheel, const PointResult& result, PointForce& force,
                         PointState& point) {
    point.N = 0;
    if (!force.acts) return;
    const std::size_t k = data.wheels[wheel].wheelset;
    const double closing = -along(result.W_n, twists_end.subspan(6 * k, 6));
    const double N = force.preload + force.stiffness * closing;
    point.N = std::max(0.0, N);
    if (N >= 0) return;
    force.acts = false;
    good = false;
  };
  for (std::size_t i = 0; i < w; ++i) {
    check(i, flange_result[i], flange_force[i], next.flange[i]);
    check(i, rival_result[i], rival_force[i], next.rival[i]);
    if (data.law.tread || state.tread[i].soft) {
      check(i, tread_result[i], tread_force[i], next.tread[i]);
    } else if (data.law.unilateral && next.tread[i].on && next.tread[i].N < 0) {
      // with a second point that carries this is no lift, and the first may be needed again soon
      if (rival_force[i].acts)
        next.tread[i].soft = true, next.tread[i].calm = 0;
      else
        note(Event::Kind::release, i, next.tread[i].N);
      next.tread[i].on = false;
      next.tread[i].N = 0;
      tread_force[i].acts = false;
      good = false;
    }
  }
  return good;
}

// The forces that acted: those of the implicit system with its solution.
void Simulator::Parts::record_forces(double h, const StepOptions& options) {
  for (std::size_t i = 0; i < w; ++i) {
    const std::size_t k = data.wheels[i].wheelset;
    const std::span<const double> u = twists_end.subspan(6 * k, 6);
    tread_result[i].N = next.tread[i].N;
    flange_result[i].N = next.flange[i].N;
    rival_result[i].N = next.rival[i].N;
    const auto slips = [&](PointResult& result, const PointForce& force, Contact& contact) {
      if (!force.acts) return;
      if (options.scheme == Scheme::explicit_euler) {
        std::copy_n(force.creep.f, 3, result.f.begin());
        return;
      }
      const SlipWrenches slip(result);
      const std::array<double, 3>& dnu = contact.motion().dnu;
      const double share = options.scheme == Scheme::imex ? h : 0;
      std::array<double, 3> nu;
      for (int j = 0; j < 3; ++j) nu[j] = along(slip.W[j], u) + share * dnu[j];
      for (int j = 0; j < 3; ++j) {
        result.f[j] = 0;
        for (int c = 0; c < 3; ++c) result.f[j] -= force.creep.C[3 * j + c] * nu[c] / force.creep.V;
      }
      if (options.scheme == Scheme::imex)
        result.f[1] -= h * force.turning * (along(slip.W[1], u) + force.shift);
    };
    slips(tread_result[i], tread_force[i], tread[i]);
    slips(flange_result[i], flange_force[i], flange[i]);
    slips(rival_result[i], rival_force[i], rival[i]);
    const bool before = state.flange[i].N > 0, after = next.flange[i].N > 0;
    if (before != after)
      note(after ? Event::Kind::flange_on : Event::Kind::flange_off, i, flange_result[i].gap);
  }
}

}  // namespace klingel::run
