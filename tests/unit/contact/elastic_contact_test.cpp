// The elastic contact: its two formulas, no pull, and tangents that are derivatives.
#include "contact/elastic_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/hertz.hpp"

namespace klingel::contact {
namespace {

constexpr ElasticContact flange = {ElasticLaw::linear, 5e7, 1e5};

TEST(elastic_contact, linear_is_spring_and_damper) {
  const ElasticForce f = elastic_force(flange, 1e-3, 0.02);
  EXPECT_DOUBLE_EQ(f.N, 5e7 * 1e-3 + 1e5 * 0.02);
  EXPECT_EQ(f.dN_ddelta, 5e7);
  EXPECT_EQ(f.dN_drate, 1e5);
}

TEST(elastic_contact, never_pulls_and_is_nothing_when_released) {
  const ElasticContact hertz = {ElasticLaw::hertz, 1e10, 2};
  for (const ElasticContact& contact : {flange, hertz}) {
    // apart, apart but approaching, overlapping but leaving fast
    const double states[][2] = {{-1e-3, 0}, {-1e-9, 5}, {0, 1}, {1e-3, -10}, {NAN, 0}};
    for (const auto& [delta, rate] : states) {
      const ElasticForce f = elastic_force(contact, delta, rate);
      EXPECT_EQ(f.N, 0);
      EXPECT_EQ(f.dN_ddelta, 0);
      EXPECT_EQ(f.dN_drate, 0);
    }
  }
}

TEST(elastic_contact, hertz_gives_the_force_of_the_patch) {
  const HertzTable table(210e9, 0.27);
  const Curvatures c = {1.1, 2.5};
  const HertzPatch patch = table.patch(c, 30e3);
  const ElasticForce f =
      elastic_force({ElasticLaw::hertz, table.stiffness(c), 0.5}, patch.delta, 0);
  EXPECT_NEAR(f.N, 30e3, 1e-6 * 30e3);  // the table's error
}

TEST(elastic_contact, tangents_are_derivatives) {
  for (const ElasticLaw law : {ElasticLaw::linear, ElasticLaw::hertz}) {
    const ElasticContact contact = {law, 1e9, law == ElasticLaw::linear ? 1e5 : 0.7};
    for (const double rate : {-0.1, 0.0, 0.3}) {
      const double delta = 3e-4, h = 1e-9, v = 1e-6;
      const auto N = [&](double d, double r) { return elastic_force(contact, d, r).N; };
      const ElasticForce f = elastic_force(contact, delta, rate);
      // differences of order two
      const double by_delta = (N(delta + h, rate) - N(delta - h, rate)) / (2 * h);
      const double by_rate = (N(delta, rate + v) - N(delta, rate - v)) / (2 * v);
      EXPECT_NEAR(f.dN_ddelta, by_delta, 1e-6 * by_delta);
      EXPECT_NEAR(f.dN_drate, by_rate, 1e-6 * by_rate);
    }
  }
}

TEST(elastic_contact, hertz_touches_down_without_a_jump) {
  const ElasticContact contact = {ElasticLaw::hertz, 1e10, 2};
  EXPECT_LT(elastic_force(contact, 1e-12, 1).N, 1e-6);
}

}  // namespace
}  // namespace klingel::contact
