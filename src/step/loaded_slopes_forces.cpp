// Forces of a sheet of four wheels in a step, with derivatives: loaded_forces.cpp once more.
#include "creep/creep_slopes.hpp"
#include "step/loaded_dual.hpp"

namespace klingel::step {

using namespace slopes;

namespace {

// Semi-axes and Kalker's coefficients of patches, by A, B and N. Axes are homogeneous of degree
// -1/3 in A and B and 1/3 in N, coefficients depend on the ratio of A and B only: one difference
// gives all.
void find_patch(const Description& vehicle, const Pack& A, const Pack& B_given, const Pack& N,
                creep::CreepInputOf<creep::CreepDual>& to) {
  using By = creep::ByPatch;
  constexpr double apart = 1e-5;  // of A
  const double B_floor = vehicle.data.law.B_floor;
  const Pack B = base::larger(B_given, splat(B_floor));
  const auto axes = [&](double by) { return vehicle.hertz.axes(A * (1 + by), B, N); };
  const contact::HertzTable::Axes at = axes(0), ahead = axes(apart), behind = axes(-apart);
  const creep::KalkerCoefficientsOf<Pack> c = vehicle.kalker.at(at.a, at.b),
                                          c_ahead = vehicle.kalker.at(ahead.a, ahead.b),
                                          c_behind = vehicle.kalker.at(behind.a, behind.b);
  const Pack per_A = 1 / A, per = 1 / (2 * apart) * per_A;
  const Pack per_B = base::select(B_given < splat(B_floor), Pack{}, 1 / B);
  const Pack per_N = base::select(N > Pack{}, 1 / N, Pack{});
  const auto make = [&](const Pack& x, const Pack& high, const Pack& low, double degree) {
    creep::CreepDual r(x);
    r.d[By::A] = per * (high - low);
    r.d[By::B] = (-degree / 3 * x - A * r.d[By::A]) * per_B;
    r.d[By::N] = degree / 3 * x * per_N;
    return r;
  };
  to.a = make(at.a, ahead.a, behind.a, 1), to.b = make(at.b, ahead.b, behind.b, 1);
  to.c = {make(c.c11, c_ahead.c11, c_behind.c11, 0), make(c.c22, c_ahead.c22, c_behind.c22, 0),
          make(c.c23, c_ahead.c23, c_behind.c23, 0), make(c.c33, c_ahead.c33, c_behind.c33, 0)};
}

// A row of a wrench: force along x, y, z and moment.
struct Wrenches {
  PackVector F, M;
  Pack operator[](int i) const { return i < 3 ? F[i] : M[i - 3]; }
};

}  // namespace

template <class By>
void LoadedSlopes::add(const Wheels<By>& p, const Sheet<By>& sheet, const SheetSpring& spring,
                       const Motion& at, const Description& vehicle, const Wanted& wanted,
                       double theta_normal, Sum<By>& to) const {
  using Place = typename By::Place;
  using Move = typename By::Move;
  using End = typename By::End;
  const double h = at.h, theta = at.theta;
  const Mask acts = base::mask(sheet.acts);
  const Place &n_y = sheet.n_y, &n_z = sheet.n_z, &N = sheet.N, &K = sheet.K;

  // normal forces: N(t+h) rows^T (G + theta H (x(t+h) - x))   [eq:loadedstep]
  Move rate = sheet.G[0] * p.dx[0];
  End rate_end = sheet.G[0] * p.dx_end[0];
  for (int i = 1; i < 4; ++i) {
    rate = multiply_add(sheet.G[i], p.dx[i], rate);
    rate_end = multiply_add(sheet.G[i], p.dx_end[i], rate_end);
  }
  Move curved = h * h / 2 * sheet.gamma_n;
  if (sheet.drifts) curved = curved - h * sheet.drift;
  const Move N_end =
      multiply_add(K, curved - h / 2 * rate - (h / 2 + spring.damping) * rate_end, N);
  const Move N_now = multiply_add(K, curved - (h + spring.damping) * rate, N);
  const Place T = theta_normal * h / 2 * N;
  Move g[4], g_t[4];
  for (int i = 0; i < 4; ++i) {
    g[i] = multiply_add(T, sheet.H_dx[i] + sheet.H.times(p.dx_end, i), sheet.G[i] * N_end);
    g_t[i] = multiply_add(2 * T, sheet.H_dx[i], sheet.G[i] * N_now);
  }
  const auto force_of = [&](const auto* x) {
    auto ahead = p.along[0] * x[0];
    for (int i = 1; i < 4; ++i) ahead = multiply_add(p.along[i], x[i], ahead);
    return Triple<decltype(ahead)>{ahead, x[0], x[1]};
  };
  const Triple<Move> pressing = force_of(g);
  const Triple<Move> lever = cross(p.r, pressing);
  to.M = to.M + Triple<Move>{multiply_add(g[2], p.e.y, lever.x),
                             subtract_product(g[2], p.e.x, multiply_add(g[3], p.e.z, lever.y)),
                             subtract_product(g[3], p.e.y, lever.z)};
  to.F = to.F + pressing;
  to.at_t = to.at_t + force_of(g_t);

  // creep forces of t + theta h
  creep::CreepInputOf<creep::CreepDual> in;
  using Patch = creep::ByPatch;
  const Pack N_t = base::select(acts, N.v, Pack{});
  find_patch(vehicle, sheet.A.v, sheet.B.v, N_t, in);
  in.N = creep::CreepDual(N_t, Patch::N);
  in.mu = creep::CreepDual(at.friction, Patch::mu);
  in.G = vehicle.data.law.G, in.V_floor = vehicle.data.law.V_floor;
  for (int i = 0; i < 3; ++i) in.nu[i] = creep::CreepDual(sheet.nu[i].v, Patch::nu + i);
  in.V = creep::CreepDual(sheet.V.v, Patch::V);
  const creep::CreepSlopes secants = creep::creep_slopes(vehicle.data.law.creep, in);
  const auto chain = [&](const creep::CreepDual& C) {
    Move r;
    r.v = C.v;
    for (int i = 0; i < By::all; ++i) {
      Pack sum = C.d[Patch::V] * sheet.V.d[i];
      for (int k = 0; k < 3; ++k) sum = multiply_add(C.d[Patch::nu + k], sheet.nu[k].d[i], sum);
      if (i < By::place) {
        const int j = i < By::place ? i : 0;
        sum = multiply_add(C.d[Patch::A], sheet.A.d[j], sum);
        sum = multiply_add(C.d[Patch::B], sheet.B.d[j], sum);
        sum = multiply_add(C.d[Patch::N], N.d[j], sum);
      }
      r.d[i] = sum;
    }
    return r;
  };
  const Move C_xx = chain(secants.C_xx), C_yy = chain(secants.C_yy), C_yz = chain(secants.C_yz),
             C_zz = chain(secants.C_zz);
  const Triple<End> v_end = p.v_end + cross(p.w_end, sheet.r_CP);
  const Triple<Place>& w_end = p.w_end;
  const End nu_end[3] = {v_end.x, difference_of_products(n_z, v_end.y, n_y, v_end.z),
                         End(sum_of_products(n_y, w_end.y, n_z, w_end.z))};
  Move nu[3], nu_t[3];
  for (int i = 0; i < 3; ++i) {
    const Move later = theta * h * sheet.dnu[i];
    nu_t[i] = sheet.nu[i] + later;
    nu[i] = (1 - theta) * sheet.nu[i] + theta * nu_end[i] + later;
  }
  const Move f_x = -(C_xx * nu[0]), f_y = -sum_of_products(C_yy, nu[1], C_yz, nu[2]),
             m_z = difference_of_products(C_yz, nu[1], C_zz, nu[2]);
  const Triple<Move> creep = {f_x, f_y * n_z, -(f_y * n_y)};
  const Triple<Move> turning = cross(sheet.r_CP, creep);
  to.F = to.F + creep;
  to.M = to.M + Triple<Move>{turning.x, multiply_add(m_z, n_y, turning.y),
                             multiply_add(m_z, n_z, turning.z)};
  const Move f_yt = -sum_of_products(C_yy, nu_t[1], C_yz, nu_t[2]);
  to.at_t = to.at_t + Triple<Move>{-(C_xx * nu_t[0]), f_yt * n_z, -(f_yt * n_y)};
  const Triple<Place> W_G = force_of(sheet.G);
  const Mask presses = acts & (N_end.v > Pack{});
  if (wanted.forces) {
    const Move none{};
    to.force = to.force + base::select(presses, N_end, none) * W_G + creep;
  }

  // by bias and by the motion at t+h: wrenches of x, y, z and n in the frame
  const PackVector r_P = value(sheet.r_CP), e = value(p.e), r = value(p.r);
  const Pack zero{}, one = splat(1);
  const auto at_patch = [&](const PackVector& F) { return Wrenches{F, cross(r_P, F)}; };
  const Wrenches X = at_patch({one, zero, zero}), Y = at_patch({zero, n_z.v, -n_y.v}),
                 Z{{}, {zero, n_y.v, n_z.v}};
  Wrenches R[4];  // rows of dx
  for (int i = 0; i < 4; ++i) {
    R[i].F = {p.along[i].v, i == 0 ? one : zero, i == 1 ? one : zero};
    R[i].M = cross(r, R[i].F);
  }
  R[2].M = R[2].M + PackVector{e.y, -e.x, zero};
  R[3].M = R[3].M + PackVector{zero, e.z, -e.y};
  Wrenches n{};
  for (int k = 0; k < 4; ++k)
    n.F = step::add(n.F, sheet.G[k].v, R[k].F), n.M = step::add(n.M, sheet.G[k].v, R[k].M);
  for (int c = 0; c < 6; ++c) {
    const Pack x = -(C_xx.v * X[c]), y = -sum_of_products(C_yy.v, Y[c], C_yz.v, Z[c]),
               z = difference_of_products(C_yz.v, Y[c], C_zz.v, Z[c]), push = -(K.v * n[c]);
    Pack TH[4];
    for (int i = 0; i < 4; ++i) {
      TH[i] = sheet.H.value(i, 0) * R[0][c];
      for (int j = 1; j < 4; ++j) TH[i] = multiply_add(sheet.H.value(i, j), R[j][c], TH[i]);
      TH[i] *= T.v;
    }
    for (int i = 0; i < 6; ++i) {
      const Pack creeping = multiply_add(x, X[i], sum_of_products(y, Y[i], z, Z[i]));
      const Pack pushing = push * n[i];
      to.bias[c][i] += h * sum_of_products(splat(theta), creeping, splat(h / 2), pushing);
      Pack sum = sum_of_products(splat(theta), creeping, splat(h / 2 + spring.damping), pushing);
      for (int k = 0; k < 4; ++k) sum = multiply_add(TH[k], R[k][i], sum);
      to.end[c][i] += sum;
      if (i >= 3 || !wanted.forces) continue;
      const Pack pressed = base::select(presses, pushing, zero);
      to.force_bias[c][i] += h * (theta * creeping + h / 2 * pressed);
      to.force_end[c][i] += theta * creeping + (h / 2 + spring.damping) * pressed;
    }
  }
  if (!wanted.friction) return;
  constexpr int mu = Patch::mu;
  const auto by_friction = [&](const Move* slip, Pack* f) {
    f[0] = -(secants.C_xx.d[mu] * slip[0].v);
    f[1] = -sum_of_products(secants.C_yy.d[mu], slip[1].v, secants.C_yz.d[mu], slip[2].v);
    f[2] = difference_of_products(secants.C_yz.d[mu], slip[1].v, secants.C_zz.d[mu], slip[2].v);
  };
  Pack f[3], f_t[3];
  by_friction(nu, f), by_friction(nu_t, f_t);
  for (int i = 0; i < 6; ++i) {
    to.friction[i] += multiply_add(f[0], X[i], sum_of_products(f[1], Y[i], f[2], Z[i]));
    if (i < 3) to.friction_at_t[i] += sum_of_products(f_t[0], X[i], f_t[1], Y[i]);
  }
}

template void LoadedSlopes::add(const Wheels<Variables<false>>&, const Sheet<Variables<false>>&,
                                const SheetSpring&, const Motion&, const Description&,
                                const Wanted&, double, Sum<Variables<false>>&) const;
template void LoadedSlopes::add(const Wheels<Variables<true>>&, const Sheet<Variables<true>>&,
                                const SheetSpring&, const Motion&, const Description&,
                                const Wanted&, double, Sum<Variables<true>>&) const;

}  // namespace klingel::step
