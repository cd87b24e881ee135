// Formulas on four lanes give every lane what they give alone, bit for bit, whoever its neighbours
// are: saturated or not, thin or round, loaded or not.
#include "base/pack.hpp"

#include <gtest/gtest.h>

#include <random>

#include "contact/elastic_contact.hpp"
#include "contact/hertz.hpp"
#include "creep/creep_law.hpp"

namespace klingel::contact {
namespace {

using base::Pack;

constexpr int tries = 5000;

// one in five is zero, one in ten below
double force(std::mt19937& random) {
  const auto kind = std::uniform_int_distribution<int>(0, 9)(random);
  const double N = std::pow(10, std::uniform_real_distribution<double>(0, 6)(random));
  return kind < 2 ? 0 : kind == 2 ? -N : N;
}

double curvature(std::mt19937& random) {
  return std::uniform_real_distribution<double>(-1, 1)(random) *
         std::pow(10, std::uniform_real_distribution<double>(-3, 2)(random));
}

TEST(pack, bits_and_masks_are_each_others_inverse_and_transposing_twice_is_nothing) {
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(base::bits(base::mask(i)), i);
  Pack r[4];
  for (int i = 0; i < 16; ++i) r[i / 4][i % 4] = i;
  base::transpose(r[0], r[1], r[2], r[3]);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(r[i % 4][i / 4], i);
}

TEST(pack, hertz_and_kalker_are_those_of_one_point) {
  const HertzTable hertz(210e9, 0.27);
  std::mt19937 random(1);
  for (const creep::KalkerInterpolation way :
       {creep::KalkerInterpolation::smooth, creep::KalkerInterpolation::linear}) {
    const creep::KalkerTable kalker(0.27, way);
    for (int i = 0; i < tries; ++i) {
      Pack A, B, N;
      for (int k = 0; k < 4; ++k)
        A[k] = curvature(random), B[k] = curvature(random), N[k] = force(random);
      const double floor = i % 2 == 0 ? 0.5 : HertzTable::no_floor;
      const HertzTable::Axes axes = hertz.axes(A, B, N, floor);
      const creep::KalkerCoefficientsOf<Pack> c = kalker.at(axes.a, axes.b);
      for (int k = 0; k < 4; ++k) {
        const HertzPatch one = hertz.patch({A[k], B[k]}, N[k], floor);
        ASSERT_EQ(axes.a[k], one.a) << A[k] << " " << B[k] << " " << N[k];
        ASSERT_EQ(axes.b[k], one.b) << A[k] << " " << B[k] << " " << N[k];
        if (!(one.a > 0 && one.b > 0)) continue;
        const creep::KalkerCoefficients alone = kalker.at(one.a, one.b);
        ASSERT_EQ(c.c11[k], alone.c11);
        ASSERT_EQ(c.c22[k], alone.c22);
        ASSERT_EQ(c.c23[k], alone.c23);
        ASSERT_EQ(c.c33[k], alone.c33);
      }
    }
  }
}

TEST(pack, every_creep_law_is_that_of_one_point) {
  const HertzTable hertz(210e9, 0.27);
  const creep::KalkerTable kalker(0.27);
  std::mt19937 random(2);
  std::normal_distribution<double> slip(0, 0.02);
  for (const creep::CreepLaw law : creep::creep_laws) {
    creep::CreepModel model;
    model.law = law;
    for (int i = 0; i < (law == creep::CreepLaw::fastsim ? 50 : tries); ++i) {
      creep::CreepInputOf<Pack> in;
      in.G = 82e9;
      for (int k = 0; k < 4; ++k) {
        in.N[k] = force(random), in.mu[k] = 0.3 + slip(random);
        const HertzPatch patch = hertz.patch({1.0, 0.5 + std::abs(curvature(random))}, in.N[k]);
        in.a[k] = patch.a, in.b[k] = patch.b;
        for (Pack& nu : in.nu) nu[k] = 20 * slip(random);
        in.V[k] = 1000 * slip(random);
      }
      in.c = kalker.at(in.a, in.b);
      const creep::CreepPack out = model(in);
      for (int k = 0; k < 4; ++k) {
        const creep::CreepInput one{in.a[k],
                                    in.b[k],
                                    in.N[k],
                                    in.mu[k],
                                    in.G,
                                    {in.c.c11[k], in.c.c22[k], in.c.c23[k], in.c.c33[k]},
                                    {in.nu[0][k], in.nu[1][k], in.nu[2][k]},
                                    in.V[k],
                                    in.V_floor};
        const creep::CreepResult alone = model(one);
        for (int c = 0; c < 3; ++c) ASSERT_EQ(out.f[c][k], alone.f[c]) << name(law);
        ASSERT_EQ(out.C_xx[k], alone.C[0]);
        ASSERT_EQ(out.C_yy[k], alone.C[4]);
        ASSERT_EQ(out.C_yz[k], alone.C[5]);
        ASSERT_EQ(-out.C_yz[k], alone.C[7]);
        ASSERT_EQ(out.C_zz[k], alone.C[8]);
        ASSERT_EQ(out.factor[k], alone.factor);
        // no more than this in any law: the step knows nothing else
        for (const int zero : {1, 2, 3, 6}) ASSERT_EQ(alone.C[zero], 0);
      }
    }
  }
}

TEST(pack, elastic_forces_are_those_of_one_point) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const ElasticContact law :
       {ElasticContact{ElasticLaw::linear, 5e7, 1e5}, ElasticContact{ElasticLaw::hertz, 1e11, 2}}) {
    for (int i = 0; i < tries; ++i) {
      Pack delta, rate;
      for (int k = 0; k < 4; ++k) delta[k] = 1e-4 * unit(random), rate[k] = unit(random);
      const ElasticForceOf<Pack> all = elastic_force(law, delta, rate);
      for (int k = 0; k < 4; ++k) {
        const ElasticForce one = elastic_force(law, delta[k], rate[k]);
        ASSERT_EQ(all.N[k], one.N);
        ASSERT_EQ(all.dN_ddelta[k], one.dN_ddelta);
        ASSERT_EQ(all.dN_drate[k], one.dN_drate);
      }
    }
  }
}

}  // namespace
}  // namespace klingel::contact
