// The law of Shen, Hedrick and Elkins: the linear force including spin, shortened by the cubic of
// Johnson and Vermeulen so that |(f_x, f_y)| <= mu N; m_z is scaled alike. C = factor S, so that
// where the linear force vanishes the factor is 1. Known weakness: a spin whose lateral force is
// cancelled by lateral creepage is not limited, and m_z grows with it.
#pragma once

#include "creep/creep.hpp"

namespace klingel::creep {

CreepResult she(const CreepInput& in) noexcept;
CreepPack she(const CreepInputOf<base::Pack>& in) noexcept;

}  // namespace klingel::creep
