#include "creep/she.hpp"

namespace klingel::creep {

CreepResult she(const CreepInput& in) noexcept {
  if (!acts(in) || !(in.mu > 0)) return {};
  const LinearCreep linear = linear_creep(in);
  return scaled_linear(linear, she_factor(linear, in.mu * in.N));
}

}  // namespace klingel::creep
