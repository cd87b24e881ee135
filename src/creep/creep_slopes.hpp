// Secants of a creep law with their derivatives. A law is a function of the patch (curvatures and
// normal force), of slip and speed, and of friction; the input is dual numbers by these.
#pragma once

#include "base/dual.hpp"
#include "creep/creep_law.hpp"

namespace klingel::creep {

// Variables of a law, in this order: curvatures along and across, normal force, slip, speed,
// friction.
struct ByPatch {
  static constexpr int A = 0, B = 1, N = 2, nu = 3, V = 6, mu = 7, count = 8;
};
using CreepDual = base::Dual<ByPatch::count>;

// f = -C nu: C over V, already.
struct CreepSlopes {
  CreepDual C_xx, C_yy, C_yz, C_zz;
};

// Zero where nothing acts. The laws in closed form are differentiated, FASTSIM is differenced over
// steps of 1e-5 of a variable and of 3e-6 m/s and rad/s of slip.
CreepSlopes creep_slopes(const CreepModel& model, const CreepInputOf<CreepDual>& in) noexcept;

}  // namespace klingel::creep
