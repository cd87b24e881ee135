// FASTSIM against figures of the CONTACT program: its own FASTSIM on 42 x 42 elements, and the full
// theory of the half-space. What all laws promise is in creep_test.cpp.
#include "creep/fastsim.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "tests/unit/creep/creep_cases.hpp"

namespace klingel::creep {
namespace {

// a/b = 0.5 and 2 with sqrt(ab) = 5 mm, N = 80 kN, mu = 0.3, G = 82 GPa, Poisson 0.28.
// Creepages, spin in 1/m; force in N, moment in N m.
struct Row {
  double ratio, xi_x, xi_y, spin, f_x, f_y, m_z;
};

constexpr Row fastsim_rows[] = {{0.5, 1.393728e-3, 0, 0, -9358, 0, 0},
                                {0.5, 8.362369e-3, 0, 0, -23910, 0, 0},
                                {0.5, 0, 2.787456e-3, 0, 0, -13650, 7.757},
                                {0.5, 5.913088e-3, 5.913088e-3, 0, -17540, -15980, 0.4579},
                                {0.5, 0, 0, 0.3902439, 0, -3696, -27.52},
                                {0.5, 0, 0, 7.804878, 0, -6246, -66.00},
                                {0.5, 0, 2.090592e-3, 1.170732, 0, -15530, -42.62},
                                {2, 4.181185e-3, 0, 0, -22600, 0, 0},
                                {2, 0, 6.968641e-4, 0, 0, -6599, 10.72},
                                {2, 2.956544e-3, 2.956544e-3, 0, -16090, -15670, 4.068},
                                {2, 0, 0, 1.560976, 0, -16390, -38.93},
                                {2, 0, 0, 7.804878, 0, -6989, -63.73},
                                {2, 0, 4.181185e-3, 2.341463, 0, -18770, -31.45}};

constexpr Row full_theory_rows[] = {{0.5, 2.787456e-3, 0, 0, -16360, 0, 0},
                                    {0.5, 0, 4.181185e-3, 0, 0, -18430, 11.63},
                                    {0.5, 0, 0, 2.341463, 0, -10670, -65.63},
                                    {2, 1.971029e-3, 1.971029e-3, 0, -14090, -13480, 10.53},
                                    {2, 0, 0, 0.7804878, 0, -17910, -30.42},
                                    {2, 0, 1.393728e-3, 0.7804878, 0, -21610, -19.48}};

// Distance of the force in mu N.
double distance(const CreepResult& r, const Row& row) {
  return std::hypot(r.f[0] - row.f_x, r.f[1] - row.f_y) / muN;
}

TEST(fastsim, agrees_with_another_fastsim_to_2_per_cent_of_the_friction_force) {
  // half of it is the other's: its first-order march has an error of the order of 1/42
  for (const Row& row : fastsim_rows) {
    const CreepResult r = Fastsim()(contact(row.ratio, row.xi_x, row.xi_y, row.spin));
    EXPECT_LT(distance(r, row), 0.02)
        << row.ratio << " " << row.xi_x << " " << row.xi_y << " " << row.spin;
    EXPECT_NEAR(r.f[2], row.m_z, 0.02 * muN * 5e-3);
  }
}

TEST(fastsim, agrees_with_the_full_theory_to_10_per_cent_of_the_friction_force) {
  for (const Row& row : full_theory_rows) {
    const CreepResult r = Fastsim()(contact(row.ratio, row.xi_x, row.xi_y, row.spin));
    EXPECT_LT(distance(r, row), 0.10) << row.ratio << " " << row.spin;
  }
}

TEST(fastsim, ten_strips_are_near_the_limit_of_many) {
  // worst is large spin, where the march of first order counts: 3.2 % of mu N
  const Fastsim ten(10), eighty(80);
  double worst = 0;
  for (const Row& row : fastsim_rows) {
    const CreepInput in = contact(row.ratio, row.xi_x, row.xi_y, row.spin);
    const CreepResult few = ten(in), limit = eighty(in);
    worst = std::max(worst, std::hypot(few.f[0] - limit.f[0], few.f[1] - limit.f[1]) / muN);
  }
  EXPECT_LT(worst, 0.04);
}

TEST(fastsim, full_slip_is_exact_with_any_number_of_strips) {
  for (const int strips : {3, 4, 10, 17}) {
    const CreepResult r = Fastsim(strips)(contact(1.7, 1, 0, 0));
    EXPECT_NEAR(r.f[0], -muN, 1e-10 * muN) << strips;
    EXPECT_EQ(r.f[1], 0);
  }
}

TEST(fastsim, in_full_slip_the_force_opposes_the_slip_though_flexibilities_differ) {
  // c11/c22 is 1.2 here; bristles that only shrink towards the bound would point 6 degrees aside
  const CreepResult r = Fastsim()(contact(0.5, 0.1, 0.1, 0));
  EXPECT_NEAR(r.f[0], r.f[1], 0.02 * muN);
}

TEST(fastsim, large_spin_turns_the_patch_without_a_force) {
  // the tractions of a turning patch cancel; the moment is mu times the integral of p r
  const CreepInput in = contact(1, 0, 0, 1e4);
  const CreepResult r = Fastsim(40)(in);
  EXPECT_LT(std::abs(r.f[1]), 0.02 * muN);
  // 3 pi/16 mu N a for a pressure of Hertz; the parabolic bound gives 8/15
  EXPECT_NEAR(r.f[2], -8.0 / 15 * muN * in.a, 0.01 * muN * in.a);
}

TEST(fastsim, numbers_of_strips_out_of_range_are_refused) {
  try {
    Fastsim(2);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(), "FASTSIM with 2 strips, expected 3 to 100");
  }
  EXPECT_THROW(Fastsim(101), base::Error);
}

}  // namespace
}  // namespace klingel::creep
