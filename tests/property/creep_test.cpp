// Contact forces on random inputs, the extreme ones included: results are finite, friction bounds
// them, and the secant form is the force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/hertz.hpp"
#include "creep/creep_law.hpp"
#include "tests/support/property.hpp"

namespace klingel::creep {
namespace {

// Uniform between low and high, to one part in a million.
double uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(test::any_index(1'000'001)) * 1e-6;
}

// Over all decades between low and high.
double decades(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }

// Zero now and then, else of either sign.
double signed_decades(double low, double high) {
  const std::size_t kind = test::any_index(8);
  return kind == 0 ? 0 : (kind % 2 == 0 ? 1 : -1) * decades(low, high);
}

CreepInput any_input() {
  CreepInput in;
  in.a = decades(1e-5, 1);
  in.b = decades(1e-5, 1);
  in.N = decades(1e-3, 1e8);
  in.mu = decades(1e-4, 2);
  in.G = decades(1e6, 1e12);
  in.c = KalkerTable(uniform(0, 0.5)).at(in.a, in.b);
  in.V = signed_decades(1e-9, 200);
  in.nu[0] = signed_decades(1e-12, 300);
  in.nu[1] = signed_decades(1e-12, 300);
  in.nu[2] = signed_decades(1e-12, 1e4);
  return in;
}

TEST(creep, forces_are_finite_bounded_and_equal_to_their_secant_form) {
  const Fastsim fastsim;
  test::check_property(5000, [&] {
    const CreepInput in = any_input();
    const PolachParameters polach = {uniform(0.3, 1), uniform(0.1, 0.3)};
    const FallingFriction falling = {uniform(0.2, 1), uniform(0, 1)};
    const double muN = in.mu * in.N, e = std::sqrt(in.a * in.b);
    for (const CreepLaw law : creep_laws) {
      const CreepResult r = CreepModel{law, polach, fastsim, falling}(in);
      for (const double f : r.f) RC_ASSERT(std::isfinite(f));
      for (const double c : r.C) RC_ASSERT(std::isfinite(c));
      RC_ASSERT(r.factor >= 0 && r.factor <= 1);
      if (law != CreepLaw::linear) RC_ASSERT(std::hypot(r.f[0], r.f[1]) <= muN * (1 + 1e-9));
      for (int i = 0; i < 3; ++i) {
        double f = 0, terms = 0;
        for (int j = 0; j < 3; ++j) {
          f -= r.C[3 * i + j] * in.nu[j] / r.V;
          terms += std::abs(r.C[3 * i + j] * in.nu[j] / r.V);
        }
        RC_ASSERT(std::abs(f - r.f[i]) <= 1e-11 * terms + 2e-9 * muN * (i == 2 ? e : 1));
      }
    }
  });
}

TEST(creep, friction_never_adds_energy) {
  const Fastsim fastsim;
  test::check_property(5000, [&] {
    const CreepInput in = any_input();
    for (const CreepLaw law : creep_laws) {
      // FASTSIM's flexibilities do not agree with each other on thin ellipses
      if (law == CreepLaw::fastsim && std::max(in.a / in.b, in.b / in.a) > 10) continue;
      const CreepResult r = CreepModel{law, {}, fastsim}(in);
      double power = 0, size = 0;
      for (int i = 0; i < 3; ++i) {
        power += r.f[i] * in.nu[i];
        size += std::abs(r.f[i] * in.nu[i]);
      }
      RC_ASSERT(power <= 1e-9 * size);
    }
  });
}

// x mirrored, with it the direction of rolling: f_y stays, f_x and m_z turn.
TEST(creep, rolling_the_other_way_is_the_mirror_image) {
  const Fastsim fastsim;
  test::check_property(5000, [&] {
    CreepInput in = any_input();
    if (in.V == 0) in.V = 1;  // standstill counts as forwards
    const double muN = in.mu * in.N, e = std::sqrt(in.a * in.b);
    CreepInput mirrored = in;
    mirrored.V = -in.V;
    mirrored.nu[0] = -in.nu[0];
    mirrored.nu[2] = -in.nu[2];
    for (const CreepLaw law : creep_laws) {
      const CreepModel model{law, {}, fastsim};
      const CreepResult r = model(in), m = model(mirrored);
      const double tolerance[3] = {1e-9 * muN, 1e-9 * muN, 1e-9 * muN * e};
      const double signs[3] = {-1, 1, -1};
      for (int i = 0; i < 3; ++i)
        RC_ASSERT(std::abs(m.f[i] - signs[i] * r.f[i]) <= tolerance[i] + 1e-9 * std::abs(r.f[i]));
    }
  });
}

TEST(hertz, patches_are_finite_for_all_curvatures_and_forces) {
  const contact::HertzTable table(210e9, 0.27);
  test::check_property(5000, [&] {
    const contact::Curvatures c = {signed_decades(1e-8, 1e6), signed_decades(1e-8, 1e6)};
    const double N = signed_decades(1e-6, 1e9);
    const contact::HertzPatch patch =
        table.patch(c, N, test::any_index(2) == 0 ? 0.05 : contact::HertzTable::no_floor);
    for (const double x : {patch.a, patch.b, patch.delta}) RC_ASSERT(std::isfinite(x) && x >= 0);
    RC_ASSERT((patch.a > 0) == (patch.valid && N > 0));
  });
}

}  // namespace
}  // namespace klingel::creep
