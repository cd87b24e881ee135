// Subject: creep/creep_slopes. Claim: its secants are those of the laws, and its derivatives those
// of differences, for every law, with and without friction that falls.
#include "creep/creep_slopes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "creep_cases.hpp"

namespace klingel::creep {
namespace {

using base::Pack;

// An input with these variables, on four lanes; axes and coefficients as if they were linear in the
// curvatures A and B.
template <class T>
CreepInputOf<T> input(const Pack* x, T (*made)(const Pack& value, const Pack& by_A,
                                               const Pack& by_B, int variable)) {
  const Pack none{};
  const auto by_curvature = [&](double size, double A, double B) {
    return made(size + A * x[ByPatch::A] + B * x[ByPatch::B], base::splat(A), base::splat(B), -1);
  };
  const auto itself = [&](int i) { return made(x[i], none, none, i); };
  CreepInputOf<T> in;
  in.a = by_curvature(6e-3, -1e-3, -0.7e-3), in.b = by_curvature(4e-3, 0.4e-3, -1.2e-3);
  in.c = {by_curvature(4.3, 0.2, -0.3), by_curvature(3.9, 0.1, -0.2), by_curvature(1.6, 0.3, -0.1),
          by_curvature(1.1, -0.2, 0.2)};
  in.N = itself(ByPatch::N), in.mu = itself(ByPatch::mu), in.V = itself(ByPatch::V);
  for (int i = 0; i < 3; ++i) in.nu[i] = itself(ByPatch::nu + i);
  in.G = 82e9;
  return in;
}

CreepDual dual(const Pack& value, const Pack& by_A, const Pack& by_B, int variable) {
  CreepDual r(value);
  r.d[ByPatch::A] = by_A, r.d[ByPatch::B] = by_B;
  if (variable >= 0) r.d[variable] = base::splat(1);
  return r;
}
Pack plain(const Pack& value, const Pack&, const Pack&, int) { return value; }

struct Secants {
  Pack of[4];
};

Secants secants(const CreepModel& law, const Pack* x) {
  const CreepPack out = law(input<Pack>(x, plain));
  return {out.C_xx / out.V, out.C_yy / out.V, out.C_yz / out.V, out.C_zz / out.V};
}

// From stick to full slip, forwards and backwards.
const Pack point[ByPatch::count] = {{0.5, 0.9, 0.7, 1.2},      {1.1, 0.8, 0.4, 0.6},
                                    {80e3, 60e3, 95e3, 20e3},  {0.02, -0.09, 0.004, 0.7},
                                    {0.013, 0.02, -0.11, 0.4}, {0.4, -1.1, 0.9, 2.1},
                                    {20, 31, -17, 40},         {0.3, 0.35, 0.2, 0.4}};
constexpr double steps[ByPatch::count] = {1e-4, 1e-4, 1, 3e-7, 3e-7, 1e-5, 1e-4, 1e-6};

class every_law : public testing::TestWithParam<CreepLaw> {};

TEST_P(every_law, has_these_secants_and_slopes) {
  for (const double falling : {0.0, 0.6}) {
    CreepModel law = model(GetParam());
    law.polach = {0.8, 0.5};
    if (falling > 0) law.falling = {0.4, falling};
    const CreepSlopes found = creep_slopes(law, input<CreepDual>(point, dual));
    const CreepDual* C[] = {&found.C_xx, &found.C_yy, &found.C_yz, &found.C_zz};
    const Secants at = secants(law, point);
    for (std::size_t lane = 0; lane < base::pack_lanes; ++lane) {
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(C[k]->v[lane], at.of[k][lane], 1e-12 * std::abs(at.of[k][lane]));
      for (int i = 0; i < ByPatch::count; ++i) {
        Pack ahead[ByPatch::count], behind[ByPatch::count];
        std::copy(std::begin(point), std::end(point), ahead);
        std::copy(std::begin(point), std::end(point), behind);
        ahead[i] += steps[i], behind[i] -= steps[i];
        const Secants high = secants(law, ahead), low = secants(law, behind);
        for (std::size_t k = 0; k < 4; ++k) {
          const double expected = (high.of[k][lane] - low.of[k][lane]) / (2 * steps[i]);
          // against what the secant changes if the variable doubles; FASTSIM has kinks
          const double tolerance = GetParam() == CreepLaw::fastsim ? 1e-2 : 1e-6;
          const double size = std::abs(at.of[k][lane]) / std::abs(point[i][lane]);
          EXPECT_NEAR(C[k]->d[i][lane], expected, tolerance * (size + std::abs(expected)))
              << name(GetParam()) << " secant " << k << " by " << i << " lane " << lane;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(laws, every_law, testing::ValuesIn(creep_laws),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(creep_slopes, are_zero_without_load_and_finite_without_slip) {
  Pack x[ByPatch::count];
  std::copy(std::begin(point), std::end(point), x);
  x[ByPatch::N][1] = 0;
  for (int i = 0; i < 3; ++i) x[ByPatch::nu + i] = Pack{};
  for (const CreepLaw law : creep_laws) {
    const CreepSlopes found = creep_slopes(model(law), input<CreepDual>(x, dual));
    for (const CreepDual* C : {&found.C_xx, &found.C_yy, &found.C_yz, &found.C_zz}) {
      EXPECT_EQ(C->v[1], 0);
      for (int i = 0; i < ByPatch::count; ++i) {
        EXPECT_EQ(C->d[i][1], 0);
        EXPECT_TRUE(std::isfinite(C->d[i][0])) << name(law);
      }
    }
  }
}

}  // namespace
}  // namespace klingel::creep
