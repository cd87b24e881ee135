// The law of Shen, Hedrick and Elkins: the linear force including spin, shortened by the cubic of
// Johnson and Vermeulen so that |(f_x, f_y)| <= mu N; m_z is scaled alike. C = factor S, so that
// where the linear force vanishes the factor is 1. Known weakness: a spin whose lateral force is
// cancelled by lateral creepage is not limited, and m_z grows with it.
#pragma once

#include "creep/creep.hpp"

namespace klingel::creep {

template <class T>
T she_factor(const LinearCreepOf<T>& linear, const T& muN) noexcept {
  const T size = base::root(T(linear.f_x * linear.f_x + linear.f_y * linear.f_y));
  return cubic_factor(size, muN);
}

CreepResult she(const CreepInput& in) noexcept;

// In every step of most vehicles: here, so that its numbers stay in registers.
inline CreepPack she(const CreepInputOf<base::Pack>& in) noexcept {
  const LinearCreepOf<base::Pack> linear = linear_creep(in);
  const base::Mask loaded = acts(in) & (in.mu > base::Pack{});
  return scaled_linear(linear, she_factor(linear, base::Pack(in.mu * in.N)), loaded);
}

}  // namespace klingel::creep
