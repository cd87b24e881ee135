// Creep forces between wheel and rail: input and result of every law, and the part that all laws
// share. Force and moment on the wheel, in the contact base (t_rx, t_ry, n_r):
//
//   [f_x f_y m_z] = -S [xi_x xi_y varphi_z]                                    [eq:kalker1]
//   S = G [[ab c11, 0, 0], [0, ab c22, (ab)^(3/2) c23], [0, -(ab)^(3/2) c23, (ab)^2 c33]]
//
// with creepages xi = nu/|V|. The article prints sqrt(ab) c23; the dimension of spin, 1/m, requires
// (ab)^(3/2). A wheel that rolls backwards, V < 0, has its leading edge at the other end of the
// patch: f_x and f_y keep opposing xi_x and xi_y, the coupling c23 changes its sign. Every law
// comes in the secant form f = -(1/|V|) C nu that the implicit step uses. Laws are in
// linear_law.hpp, she.hpp, polach.hpp and fastsim.hpp, choosing one in creep_law.hpp. Nothing here
// allocates or throws.
#pragma once

#include "base/dual.hpp"
#include "creep/kalker.hpp"

namespace klingel::creep {

template <class T>
struct CreepInputOf {
  T a{}, b{};                 // semi-axes along rolling and across, m
  T N{};                      // normal force, N; no force for N <= 0
  T mu{};                     // friction coefficient, may change from call to call
  double G = 0;               // shear modulus, Pa
  KalkerCoefficientsOf<T> c;  // for a/b and the material
  T nu[3] = {};               // slip velocities of the wheel: m/s along t_rx, t_ry; rad/s about n_r
  T V{};                      // speed of rolling, m/s; negative: backwards
  double V_floor = 1e-3;      // the least |V| to divide by, m/s: forces stay finite at standstill
};
using CreepInput = CreepInputOf<double>;

struct CreepResult {
  double f[3] = {};   // f_x, f_y in N, m_z in N m
  double C[9] = {};   // by rows: f = -C nu/V; N, N m and N m^2
  double V = 1;       // the V of that: |V|, at least V_floor
  double factor = 1;  // common saturation factor: 1 in the linear range, to 0 in full slip
};

// Of four points at once. C has four different numbers: C_xx, C_yy, C_yz = -C_zy and C_zz.
struct CreepPack {
  base::Pack f[3] = {};
  base::Pack C_xx{}, C_yy{}, C_yz{}, C_zz{};
  base::Pack V, factor;
};

// The linear law at the creepages of an input.
template <class T>
struct LinearCreepOf {
  T direction;                // of rolling: 1 forwards, -1 backwards
  T V, xi_x, xi_y, varphi_z;  // creepages: 1, 1, 1/m
  T S11, S22, S23, S33;       // N, N, N m, N m^2; S23 has the sign of direction
  T f_x, f_y, m_z;
};
using LinearCreep = LinearCreepOf<double>;

// Requires acts(in).
template <class T>
LinearCreepOf<T> linear_creep(const CreepInputOf<T>& in) noexcept {
  LinearCreepOf<T> out;
  const T one = T{} + 1;
  out.direction = base::select(in.V < T{}, -one, one);
  out.V = base::larger(base::magnitude(in.V), T{} + in.V_floor);
  const T per_V = 1 / out.V;
  out.xi_x = in.nu[0] * per_V;
  out.xi_y = in.nu[1] * per_V;
  out.varphi_z = in.nu[2] * per_V;
  const T ab = in.a * in.b, Gab = in.G * ab;
  out.S11 = Gab * in.c.c11;
  out.S22 = Gab * in.c.c22;
  out.S23 = out.direction * Gab * base::root(ab) * in.c.c23;
  out.S33 = Gab * ab * in.c.c33;
  out.f_x = -out.S11 * out.xi_x;
  out.f_y = -(out.S22 * out.xi_y + out.S23 * out.varphi_z);
  out.m_z = out.S23 * out.xi_y - out.S33 * out.varphi_z;
  return out;
}

// Whether there is a patch and a load; the laws return zero force and zero C otherwise.
inline bool acts(const CreepInput& in) noexcept { return in.N > 0 && in.a > 0 && in.b > 0; }
inline base::Mask acts(const CreepInputOf<base::Pack>& in) noexcept {
  return (in.N > base::Pack{}) & (in.a > base::Pack{}) & (in.b > base::Pack{});
}

// The cubic saturation of Johnson and Vermeulen, as a factor on a linear force of given size:
// 1 - u/3 + u^2/27 with u = size/(mu N) up to u = 3, then 1/u. Without a branch, because the
// processor would often mispredict it.
template <class T>
T cubic_factor(const T& size, const T& muN) noexcept {
  const T v = base::smaller(size, T(3 * muN)) / muN;
  return (1 + v * (v * (1.0 / 27) - 1.0 / 3)) * (3 * muN / base::larger(size, T(3 * muN)));
}

// All rows of S scaled by the same factor: C = factor S, f = factor f_linear.
inline CreepResult scaled_linear(const LinearCreep& linear, double factor) noexcept {
  return {{factor * linear.f_x, factor * linear.f_y, factor * linear.m_z},
          {factor * linear.S11, 0, 0,                    //
           0, factor * linear.S22, factor * linear.S23,  //
           0, -factor * linear.S23, factor * linear.S33},
          linear.V,
          factor};
}

// The same on four lanes; no force where `acts` is not.
inline CreepPack scaled_linear(const LinearCreepOf<base::Pack>& linear, const base::Pack& factor,
                               const base::Mask& acts) noexcept {
  const base::Pack by = base::select(acts, factor, base::Pack{});
  const auto scaled = [&](const base::Pack& x) { return base::select(acts, by * x, base::Pack{}); };
  return {{scaled(linear.f_x), scaled(linear.f_y), scaled(linear.m_z)},
          scaled(linear.S11),
          scaled(linear.S22),
          scaled(linear.S23),
          scaled(linear.S33),
          linear.V,
          base::select(acts, factor, base::splat(1))};
}

// The secant form of a law whose force is not parallel to the linear one. C has the pattern of S:
// four numbers in the places of S11, S22, S23 and S33.
//   row x       C_xx = -f_x/xi_x; laws are odd in xi_x, so the quotient is bounded. Where the
//   linear
//               force is below 1e-9 of mu N it would be rounding noise, and factor S11 stays
//   rows y, z   of all C that give f_y and m_z exactly the one nearest to factor S, in units of ab;
//               then moved along those that still do until C_yy and C_zz are not negative, which is
//               possible where the law dissipates. The implicit step then only takes energy out
// with factor = cubic_factor of the absolute values of the three contributions. Scaling rows
// instead, D_y = f_y/f_linear_y, is not bounded: spin and lateral creepage can cancel in f_linear_y
// while the saturated force does not vanish. Here the changes are at most of the size of |r|/|xi|,
// r what factor S lacks, and go to zero with xi where the law is tangent to the linear one.
CreepResult secant(const CreepInput& in, const LinearCreep& linear, double f_x, double f_y,
                   double m_z) noexcept;

}  // namespace klingel::creep
