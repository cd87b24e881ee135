#include "creep/creep.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::creep {

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

  // creepages [c, s] n and what is missing, in units that make C_yy, kappa and C_zz alike
  const double e = std::sqrt(in.a * in.b), p = e * linear.varphi_z;
  const double n = std::sqrt(linear.xi_y * linear.xi_y + p * p);
  if (!(n > 0)) return out;
  const double c = linear.xi_y / n, s = p / n;
  const double r_y = (out.f[1] - f_y) / n, r_z = (out.f[2] - m_z) / (e * n);
  out.f[1] = f_y;
  out.f[2] = m_z;

  // least change of (C_yy, kappa, kappa, C_zz) with c C_yy + s kappa and s C_zz - c kappa given
  const double h_y = (c * c + 2 * s * s) * r_y + c * s * r_z;
  const double h_z = c * s * r_y + (2 * c * c + s * s) * r_z;
  double C_yy = out.C[4] + c * h_y, C_zz = out.C[8] / (e * e) + s * h_z;
  double kappa = out.C[5] / e + 0.5 * (s * h_y - c * h_z);

  // c^2 C_yy + s^2 C_zz is the power, whatever kappa
  const double g_y = -f_y / n, g_z = -m_z / (e * n), power = c * g_y + s * g_z;
  constexpr double noise = -1e-9;
  if (power > 0 && C_yy < noise * linear.S22) {
    C_yy = 0;
    C_zz = power / (s * s);
    kappa = g_y / s;
  } else if (power > 0 && C_zz < noise * linear.S22) {
    C_yy = power / (c * c);
    C_zz = 0;
    kappa = -g_z / c;
  }
  out.C[4] = C_yy;
  out.C[5] = e * kappa;
  out.C[7] = -e * kappa;
  out.C[8] = e * e * C_zz;
  return out;
}

}  // namespace klingel::creep
