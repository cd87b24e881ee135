#include "creep/polach.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace klingel::creep {
namespace {

using std::numbers::pi;

// The traction of slip over mu N, both k = 1: 2/pi (e/(1 + e^2) + atan e), e the gradient of the
// tangential stress in adhesion.
double traction(double e, const PolachParameters& p) {
  const double eA = p.k_A * e;
  return 2 / pi * (eA / (1 + eA * eA) + std::atan(p.k_S * e));
}

// K_M of the lateral force of spin, sign turned: 2/3 e for small e, towards zero for large e. With
// e = tan(t): d = -cos 2t, and d^3/3 - d^2/2 + 1/6 = (d - 1)^2 (2 d + 1)/6.
double spin_shape(double e) {
  const double q = 1 / (1 + e * e), d = (e * e - 1) * q, s = 2 * e * q;  // s^2 = 1 - d^2
  return s * s * s / 3 - e * (1 - d) * (1 - d) * (2 * d + 1) / 6;
}

}  // namespace

CreepResult polach(const CreepInput& in, const PolachParameters& parameters) noexcept {
  if (!acts(in) || !(in.mu > 0)) return {};
  const LinearCreep linear = linear_creep(in);
  const double slip2 = linear.xi_x * linear.xi_x + linear.xi_y * linear.xi_y;
  const double muN = in.mu * in.N;

  // spin enlarges the creepage that decides about slip, never shrinks it
  const double varphi_z = linear.direction * linear.varphi_z;
  const double with_spin = linear.xi_y + varphi_z * in.a;
  const double xi_yc = std::max(std::abs(with_spin), std::abs(linear.xi_y));
  const double xi_c = std::sqrt(linear.xi_x * linear.xi_x + xi_yc * xi_yc);
  if (!(xi_c > 0)) return scaled_linear(linear, 1);

  // one gradient for both directions, from the coefficients weighted by the creepages
  const double x = in.c.c11 * linear.xi_x, y = in.c.c22 * linear.xi_y;
  const double c = slip2 > 0 ? std::sqrt((x * x + y * y) / slip2) : in.c.c22;
  const double e = 0.25 * pi * in.G * in.a * in.b * c * xi_c / muN;
  const double per_creepage = muN * traction(e, parameters) / xi_c;

  // spin: a rotation of the patch about a point ahead of it, for a = b about 4 semi-axes
  const double shape = 1 + 6.3 * (1 - std::exp(-in.a / in.b));
  const double e_M =
      8.0 / 3 * in.G * in.b * std::sqrt(in.a * in.b) * in.c.c23 * xi_yc / (muN * shape);
  const double spin = 9.0 / 16 * in.a * muN * spin_shape(e_M) * shape / xi_c;

  // the law as a matrix; both lateral parts together may pass the bound
  double f_x = per_creepage * linear.xi_x, f_y = per_creepage * linear.xi_y + spin * varphi_z;
  const double size2 = f_x * f_x + f_y * f_y;
  const double back = size2 > muN * muN ? muN / std::sqrt(size2) : 1;
  f_x *= back;
  f_y *= back;
  const double z = linear.S23 * linear.varphi_z, lx = linear.f_x, ly = linear.S22 * linear.xi_y;
  const double factor = cubic_factor(std::sqrt(lx * lx + ly * ly + z * z), muN);
  const double C_yy = back * per_creepage, C_yz = linear.direction * back * spin,
               C_zz = factor * linear.S33;
  return {{-f_x, -f_y, C_yz * linear.xi_y - C_zz * linear.varphi_z},
          {C_yy, 0, 0, 0, C_yy, C_yz, 0, -C_yz, C_zz},
          linear.V,
          factor};
}

}  // namespace klingel::creep
