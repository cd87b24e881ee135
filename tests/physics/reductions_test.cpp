// Reduced equations move mechanisms as the whole ones do: regrouped inertias and sines to rounding,
// linearised ones with an error of energy that is bounded and falls with the square of the motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples/mechanisms.hpp"
#include "exec/load.hpp"
#include "gen/program.hpp"
#include "mech/equations.hpp"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "reduce/reductions.hpp"

namespace klingel::physics {
namespace {

struct Reduced {
  Reduced(const char* name, void (*build)(mech::Model&), const reduce::Options& options)
      : model(name) {
    build(model);
    reduce::reduce_inertias(model, options);
    sym::Interface interface = mech::interface(model, mech::equations(model));
    const std::vector<std::string> linear = {"M_qq", "delta_q"};
    reduce::reduce_functions(model, options, linear, interface);
    kernel = std::make_unique<exec::Kernel>(
        exec::load(gen::Program(model.graph(), name, interface), {exec::Backend::interpreter}));
    mechanism = std::make_unique<mechanism::Mechanism>(kernel->abi());
  }
  mech::Model model;
  std::unique_ptr<exec::Kernel> kernel;
  std::unique_ptr<mechanism::Mechanism> mechanism;
};

// Two rods that hang, angles from one to the next, at rest at zero.
void build_hanging(mech::Model& m) {
  using namespace mech;
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
  Base base = m.ground_base();
  Point point = m.origin();
  for (const char* name : {"one", "two"}) {
    const auto q = m.coordinate(name);
    base = m.rotation(name, base, axis::y, q.q);
    m.body(name, point, base, 2, m.vector(base, 0, 0, -0.4), m.inertia(base, 0.1, 0.1, 0));
    point = m.point(std::string("end.") + name, point, m.vector(base, 0, 0, -0.8));
  }
}

struct Energies {
  double first_half, second_half;  // largest |E - E_0| over the energy of the motion
};

Energies energies(Reduced& r, double angle) {
  mechanism::Mechanism& m = *r.mechanism;
  mechanism::State state = m.nominal_state(), still = state;
  state.q = {angle, angle / 2};
  mechanism::Integrator integrator(m, {.method = mechanism::Method::rk4, .h = 2e-3});
  const auto energy = [&](const mechanism::State& s) {
    const mechanism::Energy e = m.energy(s);
    return e.kinetic + e.potential;
  };
  const double start = energy(state), whole = start - energy(still);
  Energies result{0, 0};
  for (int k = 0; k < 10'000; ++k) {
    EXPECT_EQ(integrator.step(state), runtime::Status::ok);
    double& largest = k < 5'000 ? result.first_half : result.second_half;
    largest = std::max(largest, std::abs(energy(state) - start) / whole);
  }
  return result;
}

TEST(linearised_motion, keeps_its_energy_within_a_bound_that_falls_with_the_square) {
  reduce::Options options;
  options.small = {"one", "two"};
  Reduced linear("hanging", build_hanging, options);
  const Energies large = energies(linear, 0.2), small = energies(linear, 0.02);
  EXPECT_LT(large.first_half, 0.05);
  EXPECT_NEAR(large.first_half / small.first_half, 100, 10);
  // it swings and does not drift
  EXPECT_LT(large.second_half, 1.05 * large.first_half);
  Reduced whole("hanging", build_hanging, {});
  EXPECT_LT(energies(whole, 0.2).second_half, 1e-7);
}

TEST(reduced_mechanisms, move_as_the_whole_ones) {
  reduce::Options options;
  options.base_parameters = options.trigonometric = true;
  for (const char* name : {"top", "slider_crank", "four_bar", "arm"}) {
    const examples::Mechanism& e = examples::mechanism(name);
    Reduced whole(name, e.build, {}), reduced(name, e.build, options);
    std::vector<mechanism::State> ends;
    for (Reduced* r : {&whole, &reduced}) {
      mechanism::State state = r->mechanism->nominal_state();
      const std::string held = e.held;
      mechanism::Held hold;
      if (!held.empty()) hold = {{held}, {"d" + held}};
      mechanism::assemble(*r->mechanism, state, hold);
      mechanism::Integrator integrator(*r->mechanism,
                                       {.method = mechanism::Method::rk4, .h = e.step});
      EXPECT_EQ(integrator.advance(state, 0.5), runtime::Status::ok) << name;
      ends.push_back(state);
    }
    for (std::size_t i = 0; i < ends[0].q.size(); ++i) {
      EXPECT_NEAR(ends[0].q[i], ends[1].q[i], 1e-10) << name;
      EXPECT_NEAR(ends[0].dq[i], ends[1].dq[i], 1e-9) << name;
    }
  }
}

}  // namespace
}  // namespace klingel::physics
