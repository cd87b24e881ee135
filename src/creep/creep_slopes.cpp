#include "creep/creep_slopes.hpp"

#include <cmath>
#include <numbers>

namespace klingel::creep {
namespace {

using base::Dual, base::Mask, base::Pack, base::splat;
using std::numbers::pi;

CreepInputOf<Pack> values(const CreepInputOf<CreepDual>& in) {
  return {in.a.v,
          in.b.v,
          in.N.v,
          in.mu.v,
          in.G,
          {in.c.c11.v, in.c.c22.v, in.c.c23.v, in.c.c33.v},
          {in.nu[0].v, in.nu[1].v, in.nu[2].v},
          in.V.v,
          in.V_floor};
}

// Friction that falls with slip, as FallingFriction::share.
CreepDual falling(const FallingFriction& law, const CreepInputOf<CreepDual>& in) {
  const CreepDual w = base::root(in.nu[0] * in.nu[0] + in.nu[1] * in.nu[1]);
  return (1 - law.A) * base::exponential(-law.B * w) + law.A;
}

CreepSlopes scaled(const LinearCreepOf<CreepDual>& linear, const CreepDual& factor) {
  const CreepDual by = factor / linear.V;
  return {by * linear.S11, by * linear.S22, by * linear.S23, by * linear.S33};
}

CreepSlopes she(const LinearCreepOf<CreepDual>& linear, const CreepDual& muN) {
  const CreepDual size = base::root(linear.f_x * linear.f_x + linear.f_y * linear.f_y);
  return scaled(linear, cubic_factor(size, muN));
}

// As polach.cpp has it.
CreepSlopes polach(const CreepInputOf<CreepDual>& in, const LinearCreepOf<CreepDual>& linear,
                   const CreepDual& muN, const PolachParameters& parameters) {
  const CreepDual &xi_x = linear.xi_x, &xi_y = linear.xi_y;
  const CreepDual slip2 = xi_x * xi_x + xi_y * xi_y;
  const CreepDual varphi_z = linear.direction * linear.varphi_z;
  const CreepDual with_spin = xi_y + varphi_z * in.a;
  const CreepDual xi_yc = base::larger(base::magnitude(with_spin), base::magnitude(xi_y));
  const CreepDual xi_c = base::root(xi_x * xi_x + xi_yc * xi_yc);
  const Mask creeps = xi_c.v > Pack{};
  const CreepDual one = 1, safe_xi_c = base::select(creeps, xi_c, one);

  const CreepDual x = in.c.c11 * xi_x, y = in.c.c22 * xi_y;
  const Mask slips = slip2.v > Pack{};
  const CreepDual safe_slip2 = base::select(slips, slip2, one);
  const CreepDual c = base::select(slips, base::root((x * x + y * y) / safe_slip2), in.c.c22);
  const CreepDual per_muN = 1 / muN, ab = in.a * in.b;
  const CreepDual e = 0.25 * pi * in.G * (ab * c * xi_c * per_muN);
  const CreepDual eA = parameters.k_A * e;
  const CreepDual traction = 2 / pi * (eA / (1 + eA * eA) + base::arc_tangent(parameters.k_S * e));
  const CreepDual per_creepage = muN * traction / safe_xi_c;

  const CreepDual shape = 1 + 6.3 * (1 - base::exponential(-(in.a / in.b)));
  const CreepDual e_M =
      8.0 / 3 * in.G * (in.b * base::root(ab) * in.c.c23 * xi_yc * per_muN / shape);
  const CreepDual ee = e_M * e_M, q = 1 / (1 + ee), d = (ee - 1) * q, s = 2 * (e_M * q);
  const CreepDual left = 1 - d;
  const CreepDual spin_shape = 1.0 / 3 * (s * s * s) - 1.0 / 6 * (e_M * left * left * (2 * d + 1));
  const CreepDual spin = 9.0 / 16 * (in.a * muN * spin_shape * shape / safe_xi_c);

  const CreepDual f_x = per_creepage * xi_x, f_y = per_creepage * xi_y + spin * varphi_z;
  const CreepDual size2 = f_x * f_x + f_y * f_y;
  const CreepDual back = base::select(
      size2.v > muN.v * muN.v, muN / base::root(base::select(size2.v > Pack{}, size2, one)), one);
  const CreepDual z = linear.S23 * linear.varphi_z, ly = linear.S22 * xi_y;
  const CreepDual size = base::root(linear.f_x * linear.f_x + ly * ly + z * z);
  const CreepDual factor = cubic_factor(size, muN), per_V = 1 / linear.V;
  const CreepDual C_yy = back * per_creepage * per_V;
  const CreepSlopes moving{C_yy, C_yy, linear.direction * (back * spin * per_V),
                           factor * linear.S33 * per_V};
  const CreepSlopes resting = scaled(linear, one);
  return {base::select(creeps, moving.C_xx, resting.C_xx),
          base::select(creeps, moving.C_yy, resting.C_yy),
          base::select(creeps, moving.C_yz, resting.C_yz),
          base::select(creeps, moving.C_zz, resting.C_zz)};
}

// Central differences of a law along each of its variables.
CreepSlopes differences(const CreepModel& model, const CreepInputOf<CreepDual>& in) {
  const CreepInputOf<Pack> at = values(in);
  const auto over_V = [&](const CreepInputOf<Pack>& x) {
    CreepPack out = model(x);
    const Pack per_V = 1 / out.V;
    for (Pack* C : {&out.C_xx, &out.C_yy, &out.C_yz, &out.C_zz}) *C *= per_V;
    return out;
  };
  const CreepPack middle = over_V(at);
  CreepSlopes to{CreepDual(middle.C_xx), CreepDual(middle.C_yy), CreepDual(middle.C_yz),
                 CreepDual(middle.C_zz)};
  for (int i = 0; i < ByPatch::count; ++i) {
    // the step over a variable that changes axes or forces by 1e-5 of them
    Pack delta = splat(3e-6);
    if (i == ByPatch::N) delta = 1e-5 * base::larger(at.N, splat(1));
    if (i == ByPatch::V) delta = splat(1e-4);
    if (i == ByPatch::A || i == ByPatch::B) {
      const Pack rate = base::magnitude(in.a.d[i]) + base::magnitude(in.b.d[i]);
      delta = base::select(rate > Pack{}, 1e-5 * (at.a + at.b) / rate, splat(1e-5));
    }
    const auto moved = [&](const Pack& by) {
      const auto to_side = [&](const CreepDual& x) { return x.v + by * x.d[i]; };
      CreepInputOf<Pack> x = at;
      x.a = to_side(in.a), x.b = to_side(in.b), x.N = to_side(in.N), x.mu = to_side(in.mu);
      x.c = {to_side(in.c.c11), to_side(in.c.c22), to_side(in.c.c23), to_side(in.c.c33)};
      for (int k = 0; k < 3; ++k) x.nu[k] = to_side(in.nu[k]);
      x.V = to_side(in.V);
      return over_V(x);
    };
    const CreepPack ahead = moved(delta), behind = moved(-delta);
    const Pack per = 1 / (2 * delta);
    to.C_xx.d[i] = per * (ahead.C_xx - behind.C_xx);
    to.C_yy.d[i] = per * (ahead.C_yy - behind.C_yy);
    to.C_yz.d[i] = per * (ahead.C_yz - behind.C_yz);
    to.C_zz.d[i] = per * (ahead.C_zz - behind.C_zz);
  }
  return to;
}

}  // namespace

CreepSlopes creep_slopes(const CreepModel& model, const CreepInputOf<CreepDual>& given) noexcept {
  // lanes without load get numbers that divide by nothing bad
  const Mask loaded = acts(values(given));
  const bool frictionless = model.law == CreepLaw::linear;
  Mask there = loaded;
  if (!frictionless) there &= given.mu.v > Pack{};
  CreepInputOf<CreepDual> in = given;
  for (CreepDual* x : {&in.a, &in.b, &in.N, &in.mu}) x->v = base::select(there, x->v, splat(1));
  CreepSlopes to;
  if (model.law == CreepLaw::fastsim) {
    to = differences(model, in);
  } else {
    if (!frictionless && model.falling.B > 0) in.mu = in.mu * falling(model.falling, in);
    const LinearCreepOf<CreepDual> linear = linear_creep(in);
    const CreepDual muN = in.mu * in.N;
    to = frictionless                    ? scaled(linear, CreepDual(1))
         : model.law == CreepLaw::polach ? polach(in, linear, muN, model.polach)
                                         : she(linear, muN);
  }
  const CreepDual none{};
  for (CreepDual* C : {&to.C_xx, &to.C_yy, &to.C_yz, &to.C_zz}) *C = base::select(there, *C, none);
  return to;
}

}  // namespace klingel::creep
