#include "wheelrail/creep.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::wheelrail {

CreepResult secant(const CreepInput& in, const LinearCreep& linear, double f_x, double f_y,
                   double m_z) noexcept {
  const double muN = in.mu * in.N;
  const double x = linear.f_x, y = linear.S22 * linear.xi_y, z = linear.S23 * linear.varphi_z;
  const double factor = cubic_factor(std::sqrt(x * x + y * y + z * z), muN);
  CreepResult out = scaled_linear(linear, factor);

  if (std::abs(x) > 1e-9 * muN) {
    out.C[0] = -f_x / linear.xi_x;
    out.f[0] = f_x;
  }

  const double e2 = in.a * in.b;
  const double size = linear.xi_y * linear.xi_y + e2 * linear.varphi_z * linear.varphi_z;
  if (size > 0) {
    const double along_y = linear.xi_y / size, along_z = e2 * linear.varphi_z / size;
    const double r_y = out.f[1] - f_y, r_z = out.f[2] - m_z;
    out.C[4] += r_y * along_y;
    out.C[5] += r_y * along_z;
    out.C[7] += r_z * along_y;
    out.C[8] += r_z * along_z;
    out.f[1] = f_y;
    out.f[2] = m_z;
  }
  return out;
}

}  // namespace klingel::wheelrail
