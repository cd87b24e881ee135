// Kalker's linear law [eq:kalker1]: no friction bound, right for creepages far from slipping.
#pragma once

#include "creep/creep.hpp"

namespace klingel::creep {

inline CreepResult linear_law(const CreepInput& in) noexcept {
  if (!acts(in)) return {};
  return scaled_linear(linear_creep(in), 1);
}

inline CreepPack linear_law(const CreepInputOf<base::Pack>& in) noexcept {
  return scaled_linear(linear_creep(in), base::splat(1), acts(in));
}

}  // namespace klingel::creep
