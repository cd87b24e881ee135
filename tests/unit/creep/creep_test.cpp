// What every creep law promises, whatever its formula: signs, the friction bound, Kalker's slope,
// and a secant form that gives the force back.
#include "creep/creep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "creep/she.hpp"
#include "tests/unit/creep/creep_cases.hpp"

namespace klingel::creep {
namespace {

double size(const CreepResult& r) { return std::hypot(r.f[0], r.f[1]); }

class EveryLaw : public testing::TestWithParam<CreepLaw> {
 protected:
  CreepModel law_ = model(GetParam());
};

INSTANTIATE_TEST_SUITE_P(creep, EveryLaw, testing::ValuesIn(creep_laws),
                         [](const auto& law) { return std::string(name(law.param)); });

TEST_P(EveryLaw, signs_are_the_articles) {
  EXPECT_LT(law_(contact(1, 1e-3, 0, 0)).f[0], 0);
  EXPECT_LT(law_(contact(1, 0, 1e-3, 0)).f[1], 0);
  EXPECT_LT(law_(contact(1, 0, 0, 0.2)).f[1], 0);
  EXPECT_GT(law_(contact(1, 0, 1e-3, 0)).f[2], 0);
  EXPECT_LT(law_(contact(1, 0, 0, 0.2)).f[2], 0);
}

TEST_P(EveryLaw, friction_falls_with_the_slip_velocity) {
  // 1 m/s of slip at 20 m/s, far beyond the bend; curves are within 1 % of their bound there
  const CreepInput in = contact(1, 0.05, 0, 0);
  CreepModel falling = law_;
  falling.falling = {0.4, 0.6};
  if (GetParam() == CreepLaw::linear) {
    EXPECT_EQ(falling(in).f[0], law_(in).f[0]);  // it has no friction
    return;
  }
  const double share = 0.6 * std::exp(-0.6 * 1.0) + 0.4;
  EXPECT_NEAR(falling(in).f[0], -share * muN, 0.01 * muN);
  // the same creepage at a quarter of the speed slips less
  CreepInput slow = in;
  slow.V /= 4;
  slow.nu[0] /= 4;
  EXPECT_LT(falling(slow).f[0], falling(in).f[0]);
  // small creepages feel little of it
  const CreepInput small = contact(1, 1e-5, 1e-5, 0);
  EXPECT_NEAR(falling(small).f[1] / law_(small).f[1], 1, 1e-3);
  // lanes have the same numbers
  CreepInputOf<base::Pack> four;
  four.a = base::splat(in.a), four.b = base::splat(in.b), four.N = base::splat(in.N);
  four.mu = base::splat(in.mu), four.G = in.G, four.V = base::splat(in.V);
  four.c = {base::splat(in.c.c11), base::splat(in.c.c22), base::splat(in.c.c23),
            base::splat(in.c.c33)};
  for (int k = 0; k < 3; ++k) four.nu[k] = base::splat(in.nu[k]);
  EXPECT_NEAR(falling(four).f[0][2], falling(in).f[0], 1e-9 * muN);
}

TEST_P(EveryLaw, the_opposite_creepage_gives_the_opposite_force) {
  for (CreepInput in : many_contacts()) {
    const CreepResult r = law_(in);
    for (double& nu : in.nu) nu = -nu;
    const CreepResult s = law_(in);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(s.f[i], -r.f[i], 1e-9 * muN);
  }
}

TEST_P(EveryLaw, the_secant_form_gives_the_force_back) {
  for (const CreepInput& in : many_contacts()) {
    const CreepResult r = law_(in);
    const double e = std::sqrt(in.a * in.b);
    for (int i = 0; i < 3; ++i) {
      double f = 0, terms = 0;
      for (int j = 0; j < 3; ++j) {
        f -= r.C[3 * i + j] * in.nu[j] / r.V;
        terms += std::abs(r.C[3 * i + j] * in.nu[j] / r.V);
      }
      // rounding of the largest term; 1e-9 mu N is what row x may leave
      EXPECT_NEAR(f, r.f[i], 1e-12 * terms + 2e-9 * muN * (i == 2 ? e : 1));
    }
  }
}

// In units that make all entries numbers like c_ij: G ab, and sqrt(ab) per spin.
TEST_P(EveryLaw, the_secant_matrix_is_bounded) {
  for (const CreepInput& in : many_contacts()) {
    const CreepResult r = law_(in);
    const double e = std::sqrt(in.a * in.b), unit = in.G * in.a * in.b;
    const double largest = std::max({in.c.c11, in.c.c22, in.c.c23, in.c.c33});
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double scale = unit * (i == 2 ? e : 1) * (j == 2 ? e : 1);
        EXPECT_LE(std::abs(r.C[3 * i + j]) / scale, 2.0 * largest) << i << j;
      }
    }
  }
}

TEST_P(EveryLaw, friction_takes_power_out) {
  for (const CreepInput& in : many_contacts()) {
    const CreepResult r = law_(in);
    const double power = r.f[0] * in.nu[0] + r.f[1] * in.nu[1] + r.f[2] * in.nu[2];
    // FASTSIM's flexibilities do not agree with each other on ellipses as thin as 20
    if (GetParam() == CreepLaw::fastsim && std::max(in.a / in.b, in.b / in.a) > 10) continue;
    EXPECT_LE(power, 1e-9 * muN * in.V);
    // and so does the implicit step: the symmetric part of C is diagonal and not negative
    EXPECT_GE(r.C[0], 0);
    EXPECT_GE(r.C[4], -1e-6 * in.G * in.a * in.b);
    EXPECT_GE(r.C[8], -1e-6 * in.G * in.a * in.b * in.a * in.b);
    EXPECT_EQ(r.C[5], -r.C[7]);
  }
}

TEST_P(EveryLaw, without_spin_forces_oppose_the_slip) {
  for (const CreepInput& in : many_contacts()) {
    if (in.nu[2] != 0) continue;
    const CreepResult r = law_(in);
    EXPECT_LE(r.f[0] * in.nu[0], 0);
    EXPECT_LE(r.f[1] * in.nu[1], 0);
  }
}

TEST_P(EveryLaw, small_creepages_feel_kalkers_coefficients) {
  for (const double ratio : {0.05, 0.5, 1.0, 3.0, 20.0}) {
    for (int k = 0; k < 3; ++k) {
      const double tiny = k == 2 ? 1e-6 : 1e-8;
      const CreepInput in = contact(ratio, k == 0 ? tiny : 0, k == 1 ? tiny : 0, k == 2 ? tiny : 0);
      const CreepResult r = law_(in);
      const LinearCreep linear = linear_creep(in);
      // saturation takes a share of the order of |f|/mu N, here below 1e-3
      EXPECT_NEAR(r.f[0], linear.f_x, 2e-3 * std::abs(linear.f_x));
      EXPECT_NEAR(r.f[1], linear.f_y, 2e-3 * std::abs(linear.f_y));
    }
  }
}

TEST_P(EveryLaw, no_creepage_no_force_but_full_stiffness) {
  const CreepInput in = contact(1.5, 0, 0, 0);
  const CreepResult r = law_(in);
  const LinearCreep linear = linear_creep(in);
  for (const double f : r.f) EXPECT_EQ(f, 0);
  EXPECT_DOUBLE_EQ(r.C[0], linear.S11);
  EXPECT_DOUBLE_EQ(r.C[4], linear.S22);
  EXPECT_DOUBLE_EQ(r.C[5], linear.S23);
  EXPECT_DOUBLE_EQ(r.C[7], -linear.S23);
  EXPECT_DOUBLE_EQ(r.C[8], linear.S33);
  EXPECT_EQ(r.factor, 1);
}

TEST_P(EveryLaw, friction_bounds_the_force) {
  if (GetParam() == CreepLaw::linear) return;  // has no bound
  for (const CreepInput& in : many_contacts()) EXPECT_LE(size(law_(in)), muN * (1 + 1e-12));
  // and in full slip it is reached
  EXPECT_NEAR(size(law_(contact(1, 0.2, 0.1, 0))), muN, 2e-2 * muN);
}

TEST_P(EveryLaw, forces_have_no_jumps) {
  if (GetParam() == CreepLaw::linear) return;  // nothing to jump
  // along lines through the space of creepages, among them where f_linear_y vanishes
  const double lines[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 100}, {1, 1, 50}, {0.2, -1, 160}};
  for (const auto& line : lines) {
    CreepResult before = law_(contact(1, 0, 0, 0));
    for (int i = 1; i <= 4000; ++i) {
      const double s = 5e-6 * i;
      const CreepResult r = law_(contact(1, s * line[0], s * line[1], s * line[2]));
      // a step changes the linear force by 1.5e-3 mu N at most
      for (int k = 0; k < 2; ++k) EXPECT_NEAR(r.f[k], before.f[k], 3e-3 * muN) << i;
      before = r;
    }
  }
}

TEST_P(EveryLaw, a_wheel_that_rolls_backwards_sees_the_patch_turned_round) {
  for (CreepInput in : many_contacts()) {
    const CreepResult forwards = law_(in);
    // the same contact looked at from behind: x and y point the other way, z stays
    in.V = -in.V;
    in.nu[0] = -in.nu[0];
    in.nu[1] = -in.nu[1];
    const CreepResult backwards = law_(in);
    EXPECT_NEAR(backwards.f[0], -forwards.f[0], 1e-9 * muN);
    EXPECT_NEAR(backwards.f[1], -forwards.f[1], 1e-9 * muN);
    EXPECT_NEAR(backwards.f[2], forwards.f[2], 1e-11 * muN + 1e-12 * std::abs(forwards.f[2]));
  }
}

TEST_P(EveryLaw, rolling_the_other_way_is_the_mirror_image) {
  for (CreepInput in : many_contacts()) {
    const CreepResult forwards = law_(in);
    // x mirrored: what turns about z turns the other way, y stays
    in.V = -in.V;
    in.nu[0] = -in.nu[0];
    in.nu[2] = -in.nu[2];
    const CreepResult backwards = law_(in);
    EXPECT_NEAR(backwards.f[0], -forwards.f[0], 1e-9 * muN);
    EXPECT_NEAR(backwards.f[1], forwards.f[1], 1e-9 * muN);
    EXPECT_NEAR(backwards.f[2], -forwards.f[2], 1e-11 * muN + 1e-12 * std::abs(forwards.f[2]));
  }
}

TEST_P(EveryLaw, standstill_is_finite_and_brakes) {
  CreepInput in = contact(1, 0, 0, 0);
  in.V = 0;
  in.nu[0] = 1e-7;
  const CreepResult r = law_(in);
  EXPECT_EQ(r.V, 1e-3);
  EXPECT_LT(r.f[0], 0);
  EXPECT_GT(r.C[0], 0);
  in.V = -0.0;
  EXPECT_EQ(law_(in).f[0], r.f[0]);
  in.V_floor = 0.1;
  EXPECT_EQ(law_(in).V, 0.1);
}

TEST_P(EveryLaw, without_load_there_is_nothing) {
  for (const double N : {0.0, -5e3}) {
    CreepInput in = contact(1, 1e-3, 1e-3, 0.1);
    in.N = N;
    const CreepResult r = law_(in);
    for (const double f : r.f) EXPECT_EQ(f, 0);
    for (const double c : r.C) EXPECT_EQ(c, 0);
  }
}

TEST_P(EveryLaw, friction_may_change_from_call_to_call) {
  if (GetParam() == CreepLaw::linear) return;  // has no friction
  CreepInput in = contact(1, 0.05, 0.02, 0);
  const double dry = size(law_(in));
  in.mu = 0.1;
  EXPECT_NEAR(size(law_(in)), dry / 3, 0.02 * dry);
  in.mu = 0;
  EXPECT_EQ(size(law_(in)), 0);
}

TEST(creep, the_linear_law_is_the_matrix_with_three_halves) {
  const CreepInput in = contact(2, 1e-4, 2e-4, 0.03);
  const double ab = in.a * in.b, G = in.G;
  const LinearCreep linear = linear_creep(in);
  EXPECT_DOUBLE_EQ(linear.f_x, -G * ab * in.c.c11 * 1e-4);
  EXPECT_DOUBLE_EQ(linear.f_y, -G * (ab * in.c.c22 * 2e-4 + std::pow(ab, 1.5) * in.c.c23 * 0.03));
  EXPECT_NEAR(linear.m_z, G * (std::pow(ab, 1.5) * in.c.c23 * 2e-4 - ab * ab * in.c.c33 * 0.03),
              1e-12);
}

TEST(creep, she_is_the_cubic_of_the_linear_force_and_scales_the_moment_alike) {
  for (const CreepInput& in : many_contacts()) {
    const LinearCreep linear = linear_creep(in);
    const double F = std::hypot(linear.f_x, linear.f_y), u = F / muN;
    const double wanted = u <= 3 ? muN * (u - u * u / 3 + u * u * u / 27) : muN;
    const CreepResult r = she(in);
    EXPECT_NEAR(size(r), wanted, 1e-12 * muN);
    EXPECT_NEAR(r.f[0] * F, wanted * linear.f_x, 1e-12 * muN * F);
    EXPECT_NEAR(r.f[2] * F, wanted * linear.m_z, 1e-12 * std::abs(wanted * linear.m_z));
    EXPECT_NEAR(r.C[5], r.factor * linear.S23, 1e-12 * linear.S23);
  }
}

TEST(creep, laws_are_found_by_name) {
  for (const CreepLaw law : creep_laws) EXPECT_EQ(creep_law(name(law)), law);
  try {
    creep_law("fastsin");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(),
                 "unknown creep law 'fastsin'; did you mean 'fastsim'?\n"
                 "    there are linear, she, polach, fastsim");
  }
}

}  // namespace
}  // namespace klingel::creep
