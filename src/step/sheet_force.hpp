// The normal force of a sheet and its tangent: Hertz' contact, with the rail behind it giving way,
//
//   N = k d^(3/2),   d = delta - softness N,   K = dN/d(delta)
//
// delta is the approach of wheel and rail where the rail would stand without N. Surfaces do not
// pull.
#pragma once

#include "base/pack.hpp"

namespace klingel::step {

template <class T>
struct SheetForce {
  T N, K;
};

// k in N/m^(3/2), softness in m/N: zero for a rail that does not give way.
template <class T>
SheetForce<T> sheet_force(const T& k, double softness, const T& delta) {
  const T zero{};
  T d = base::larger(delta, zero);
  // Newton's method for d + softness k d^(3/2) = delta comes down from delta, where it is convex
#pragma GCC unroll 1
  for (int i = 0; i < 16 && softness > 0; ++i) {
    const T root = base::root(d), force = k * d * root;
    d = base::larger(T(d - (d + softness * force - base::larger(delta, zero)) /
                               (1 + softness * (1.5 * k * root))),
                     zero);
  }
  const T root = base::root(d), stiffness = 1.5 * k * root;
  return {k * d * root, softness > 0 ? T(stiffness / (1 + softness * stiffness)) : stiffness};
}

}  // namespace klingel::step
