// Polach's law against its formulas as he prints them, and its extensions. What all laws promise is
// in creep_test.cpp.
#include "creep/polach.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/creep/creep_cases.hpp"

namespace klingel::creep {
namespace {

using std::numbers::pi;

struct Force {
  double x, y;
};

// Straight from the formulas, with powers and absolute values as printed; friction constant.
Force printed_force(const CreepInput& in, double k_A, double k_S) {
  const double sx = in.nu[0] / in.V, sy = in.nu[1] / in.V, w = in.nu[2] / in.V;
  const double s = std::hypot(sx, sy);
  const double syc = std::abs(sy + w * in.a) > std::abs(sy) ? sy + w * in.a : sy;
  const double sc = std::hypot(sx, syc);
  const double c = s > 0 ? std::hypot(in.c.c11 * sx / s, in.c.c22 * sy / s) : in.c.c22;
  const double e = in.G * pi * in.a * in.b * c * sc / (4 * muN);
  const double F = 2 * muN / pi * (k_A * e / (1 + std::pow(k_A * e, 2)) + std::atan(k_S * e));
  const double shape = 1 + 6.3 * (1 - std::exp(-in.a / in.b));
  const double eM = 8 / 3.0 * in.G * in.b * std::sqrt(in.a * in.b) / muN * in.c.c23 * syc / shape;
  const double d = (eM * eM - 1) / (eM * eM + 1);
  const double K = std::abs(eM) * (std::pow(d, 3) / 3 - d * d / 2 + 1.0 / 6) -
                   std::sqrt(std::pow(1 - d * d, 3)) / 3;
  return {-F * sx / sc, -F * sy / sc + 9.0 / 16 * in.a * muN * K * shape * w / sc};
}

TEST(polach, is_the_printed_formula) {
  int compared = 0;
  for (const CreepInput& in : many_contacts()) {
    if (in.nu[0] == 0 && in.nu[1] == 0 && in.nu[2] == 0) continue;
    const Force f = printed_force(in, 0.8, 0.4);
    if (std::hypot(f.x, f.y) > muN) continue;  // ours is cut there
    const CreepResult r = polach(in, {0.8, 0.4});
    // K_M as printed loses digits where it is small
    EXPECT_NEAR(r.f[0], f.x, 1e-9 * muN);
    EXPECT_NEAR(r.f[1], f.y, 1e-6 * muN);
    ++compared;
  }
  EXPECT_GT(compared, 1000);
}

TEST(polach, reduction_factors_flatten_the_slope) {
  const CreepInput in = contact(1, 1e-7, 0, 0);
  EXPECT_NEAR(polach(in, {0.3, 0.1}).f[0] / polach(in, {}).f[0], (0.3 + 0.1) / 2, 1e-4);
}

}  // namespace
}  // namespace klingel::creep
