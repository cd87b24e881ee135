#include "wheelrail/she.hpp"

#include <cmath>

namespace klingel::wheelrail {

CreepResult she(const CreepInput& in) noexcept {
  if (!acts(in) || !(in.mu > 0)) return {};
  const LinearCreep linear = linear_creep(in);
  const double size = std::sqrt(linear.f_x * linear.f_x + linear.f_y * linear.f_y);
  return scaled_linear(linear, cubic_factor(size, in.mu * in.N));
}

}  // namespace klingel::wheelrail
