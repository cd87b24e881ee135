// The parts of loaded_slopes.hpp: dual numbers of four wheels by their variables, in the frames of
// the rails. For its sources only.
#pragma once

#include <type_traits>

#include "base/dual.hpp"
#include "step/loaded_slopes.hpp"
#include "step/pack_vector.hpp"

namespace klingel::step {
namespace slopes {

using base::difference_of_products, base::sum_of_products;
using base::Dual, base::Mask, base::multiply_add, base::Pack, base::reciprocal, base::splat,
    base::subtract_product;
using base::duals::difference_of_products, base::duals::sum_of_products;

// Variables, by number: those of place come first.
template <bool with_rails>
struct Variables {
  static constexpr bool rails = with_rails;
  static constexpr int along = 0, y = 1, z = 2, e_t = 3, e_n = 4, rail_y = 5, rail_z = 6,
                       place = rails ? 7 : 5;
  static constexpr int v = place, w = v + 3, spin = w + 3, rail_dy = spin + 1,
                       rail_dz = rail_dy + 1, all = rails ? rail_dz + 1 : rail_dy;
  using Place = Dual<place>;
  using Move = Dual<all>;
  // The motion at t+h depends on the motion at t only by rates of rails.
  using End = std::conditional_t<rails, Move, Place>;
};

template <class T>
struct Triple {
  T x, y, z;
};
template <class A, class B>
[[gnu::always_inline]] inline auto operator+(const Triple<A>& a, const Triple<B>& b) {
  return Triple<decltype(a.x + b.x)>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
[[gnu::always_inline]] inline auto operator-(const Triple<A>& a, const Triple<B>& b) {
  return Triple<decltype(a.x - b.x)>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S, class T>
[[gnu::always_inline]] inline auto operator*(const S& s, const Triple<T>& a) {
  return Triple<decltype(s * a.x)>{s * a.x, s * a.y, s * a.z};
}
template <class A, class B>
[[gnu::always_inline]] inline auto cross(const Triple<A>& a, const Triple<B>& b) {
  using T = decltype(a.x * b.x);
  return Triple<T>{difference_of_products(a.y, b.z, a.z, b.y),
                   difference_of_products(a.z, b.x, a.x, b.z),
                   difference_of_products(a.x, b.y, a.y, b.x)};
}
template <class T>
PackVector value(const Triple<T>& a) {
  return {a.x.v, a.y.v, a.z.v};
}
template <class T>
PackVector slope(const Triple<T>& a, int variable) {
  return {a.x.d[variable], a.y.d[variable], a.z.d[variable]};
}

inline PackVector triple_at(const Pack* from) { return {from[0], from[1], from[2]}; }

// What is fixed in the ground: its components in the frame turn back along the rail.
template <class T>
Triple<T> fixed(const PackVector& a, const PackVector& turn) {
  const PackVector back = cross(a, turn);
  return {T(a.x, 0, back.x), T(a.y, 0, back.y), T(a.z, 0, back.z)};
}

// A symmetric matrix of four rows, times a vector.
template <class T>
struct Symmetric {
  T yy, yz, yn, yt, zz, zn, zt, nn, nt, tt;

  template <class X>
  auto times(const X* x, int row) const {
    const T* rows[4][4] = {
        {&yy, &yz, &yn, &yt}, {&yz, &zz, &zn, &zt}, {&yn, &zn, &nn, &nt}, {&yt, &zt, &nt, &tt}};
    auto sum = *rows[row][0] * x[0];
    for (int j = 1; j < 4; ++j) sum = multiply_add(*rows[row][j], x[j], sum);
    return sum;
  }
  Pack value(int i, int j) const {
    const Pack rows[4][4] = {{yy.v, yz.v, yn.v, yt.v},
                             {yz.v, zz.v, zn.v, zt.v},
                             {yn.v, zn.v, nn.v, nt.v},
                             {yt.v, zt.v, nt.v, tt.v}};
    return rows[i][j];
  }
};

}  // namespace slopes

// Place and motion in the frames of the rails; names as in LoadedSet.
template <class By>
struct LoadedSlopes::Wheels {
  using Place = typename By::Place;
  using Move = typename By::Move;
  using End = typename By::End;

  PackAxes axes;
  PackVector turned;           // of the frame, per length along the rail
  slopes::Triple<Place> e, r;  // the axis; from the wheelset's centre to O_w
  Place y, z;                  // against moved rails
  Place rho, tau, eta, height, per_D;
  Place along[4];  // ds_r in the rows of dx
  slopes::Triple<Move> v_C, w_total, turn, a_C, dw_total, de;
  Move v_along, ds_r, rail_dz;  // v_along: of O_w
  Move dx[4], ddx[4];
  slopes::Triple<End> v_end;
  slopes::Triple<Place> w_end;
  End dx_end[4];
};

// A sheet: names as in LoadedSet::Sheet.
template <class By>
struct LoadedSlopes::Sheet {
  using Place = typename By::Place;
  using Move = typename By::Move;

  Place phi, G[4], n_y, n_z, A, B;
  slopes::Symmetric<Place> H;
  slopes::Triple<Place> r_CP;
  Move nu[3], dnu[3], V, gamma_n, drift;
  Move H_dx[4];
  Place N, K;
  unsigned acts = 0;
  bool drifts = false;
};

// Forces and moments about the wheelsets' centres, in the frames.
template <class By>
struct LoadedSlopes::Sum {
  using Move = typename By::Move;
  slopes::Triple<Move> F, M, at_t, force;      // at_t: forces with the motion of t, which turn
  base::Pack bias[6][6] = {}, end[6][6] = {};  // by column
  base::Pack force_bias[6][3] = {}, force_end[6][3] = {};
  base::Pack friction[6] = {}, friction_at_t[3] = {};
};

}  // namespace klingel::step
