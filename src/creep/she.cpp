#include "creep/she.hpp"

namespace klingel::creep {
namespace {

template <class T>
T factor(const LinearCreepOf<T>& linear, const T& muN) {
  const T size = base::root(T(linear.f_x * linear.f_x + linear.f_y * linear.f_y));
  return cubic_factor(size, muN);
}

}  // namespace

CreepResult she(const CreepInput& in) noexcept {
  if (!acts(in) || !(in.mu > 0)) return {};
  const LinearCreep linear = linear_creep(in);
  return scaled_linear(linear, factor(linear, in.mu * in.N));
}

CreepPack she(const CreepInputOf<base::Pack>& in) noexcept {
  const LinearCreepOf<base::Pack> linear = linear_creep(in);
  const base::Mask loaded = acts(in) & (in.mu > base::Pack{});
  return scaled_linear(linear, factor(linear, base::Pack(in.mu * in.N)), loaded);
}

}  // namespace klingel::creep
