// A mechanism from kernels: what it needs is checked at setup, accelerations and constraint forces
// are right, projections keep the rules, numeric failures are a status with a record.
#include "mechanism/mechanism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/runtime/hand_kernel.hpp"

namespace klingel::mechanism {
namespace {

using testing::ElementsAre;

struct Accelerations {
  runtime::Status status;
  std::vector<double> ddq, lambda;
};

Accelerations accelerations(Mechanism& m, const State& state) {
  Accelerations a{runtime::Status::ok, std::vector<double>(m.coordinates()),
                  std::vector<double>(m.constraints())};
  a.status = m.accelerations(state, a.ddq, a.lambda);
  return a;
}

TEST(mechanism, knows_the_names_of_everything) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  const Mechanism m(k.abi());
  EXPECT_EQ(m.name(), "spring");
  EXPECT_THAT(m.coordinate_names(), ElementsAre("x"));
  EXPECT_THAT(m.rate_names(), ElementsAre("dx"));
  EXPECT_THAT(m.parameter_names(), ElementsAre("mass", "stiffness"));
  EXPECT_THAT(m.input_names(), ElementsAre("pull", "push"));
  EXPECT_THAT(m.output_names(), ElementsAre("tension"));
  EXPECT_EQ(m.constraints(), 0u);
}

TEST(mechanism, parameters_and_inputs_are_set_by_name) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  EXPECT_EQ(accelerations(m, state).ddq[0], -4);
  m.set_input("pull", 3);
  m.set_input("push", 2);
  EXPECT_EQ(accelerations(m, state).ddq[0], -1.5);
  m.set_parameter("mass", 1);
  EXPECT_EQ(accelerations(m, state).ddq[0], -3);
  EXPECT_EQ(m.parameter("mass"), 1);
  EXPECT_EQ(m.input("push"), 2);
  m.coordinate(state, "x") = 0.5;
  m.rate(state, "dx") = 2;
  EXPECT_EQ(m.energy(state).kinetic, 2);
  EXPECT_EQ(m.energy(state).potential, 1);
  EXPECT_EQ(m.output(state, "tension")[0], 4);
}

TEST(mechanism, an_unknown_name_is_an_error_with_near_ones) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  State s = m.nominal_state();
  EXPECT_EQ(runtime::error_of([&] { m.set_parameter("stifness", 1); }),
            "'spring' has no parameter 'stifness'; did you mean 'stiffness'?");
  EXPECT_EQ(runtime::error_of([&] { m.set_input("pul", 1); }),
            "'spring' has no input 'pul'; did you mean 'pull'?");
  EXPECT_EQ(runtime::error_of([&] { m.coordinate(s, "X"); }),
            "'spring' has no coordinate 'X'; did you mean 'x'?");
  EXPECT_EQ(runtime::error_of([&] { m.rate(s, "dy"); }),
            "'spring' has no rate 'dy'; did you mean 'dx'?");
  EXPECT_EQ(runtime::error_of([&] { m.output(s, "tensions"); }),
            "'spring' has no output 'tensions'; did you mean 'tension'?");
}

TEST(mechanism, a_missing_function_or_wrong_shape_is_an_error_at_setup) {
  for (const char* name : {"M_qq", "delta_q", "energy", "phi", "dphi", "beta", "gamma"}) {
    runtime::HandKernel k("rod");
    runtime::make_rod(k);
    k.remove(name);
    EXPECT_THAT(
        runtime::error_of([&] { Mechanism m(k.abi()); }),
        testing::StartsWith(std::string("the kernels of 'rod' have no function '") + name + "'"));
  }
  runtime::HandKernel wide("rod");
  runtime::make_rod(wide);
  wide.remove("gamma").dense("gamma", "gamma", 3, 1, [](auto, auto) {});
  EXPECT_EQ(runtime::error_of([&] { Mechanism m(wide.abi()); }),
            "output 'gamma' of function 'gamma' of 'rod' is 3 x 1, expected 1 x 1");
  runtime::HandKernel empty("empty");
  EXPECT_EQ(runtime::error_of([&] { Mechanism m(empty.abi()); }),
            "the kernels of 'empty' have no input 'q'");
  runtime::HandKernel uneven("uneven");
  uneven.input("q", 1, {"x"}, {0}).input("dq", 2, {"dx", "dy"}, {0, 0});
  EXPECT_EQ(runtime::error_of([&] { Mechanism m(uneven.abi()); }),
            "the kernels of 'uneven' have 1 coordinates q but 2 rates dq");
}

TEST(mechanism, contact_coordinates_are_refused) {
  runtime::HandKernel k("wheel");
  runtime::make_rod(k);
  k.input("s", 1, {"s"}, {0});
  EXPECT_EQ(runtime::error_of([&] { Mechanism m(k.abi()); }),
            "'wheel' has contact coordinates (input 's'), which this simulator of ordinary "
            "mechanisms does not solve for; describe the contact by constraints in q");
}

TEST(mechanism, constraints_have_the_names_given_or_numbers) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k, 2);
  EXPECT_THAT(Mechanism(k.abi()).constraint_names(), ElementsAre("phi[0]", "phi[1]"));
  EXPECT_THAT(Mechanism(k.abi(), {"a [m]", "b"}).constraint_names(), ElementsAre("a [m]", "b"));
  EXPECT_EQ(runtime::error_of([&] { Mechanism m(k.abi(), {"a"}); }),
            "'rod' has 2 constraints, but 1 names of constraints were given");
}

TEST(mechanism, the_rod_carries_weight_and_centrifugal_force) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.dq[0] = 1.4;
  const Accelerations a = accelerations(m, state);
  EXPECT_EQ(a.status, runtime::Status::ok);
  EXPECT_NEAR(a.ddq[0], 0, 1e-15);
  EXPECT_NEAR(a.ddq[1], 1.4 * 1.4 / 0.7, 1e-14);
  // -dphi_dq^T lambda = (0, lambda) pulls up
  EXPECT_NEAR(a.lambda[0], 2 * (9.81 + 1.4 * 1.4 / 0.7), 1e-13);
}

TEST(mechanism, redundant_constraints_share_the_load_and_leave_the_motion) {
  runtime::HandKernel one("rod"), many("rod");
  runtime::make_rod(one);
  make_rod(many, 5);
  Mechanism m(one.abi()), r(many.abi());
  State state = m.nominal_state();
  state.q = {0.7 * std::sin(0.4), -0.7 * std::cos(0.4)};
  state.dq = {std::cos(0.4), std::sin(0.4)};
  const Accelerations a = accelerations(m, state), b = accelerations(r, state);
  EXPECT_EQ(b.status, runtime::Status::ok);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(b.ddq[i], a.ddq[i], 1e-12);
  for (const double scale : {1000.0, -2000.0, 3000.0, -4000.0}) {
    const std::size_t i = static_cast<std::size_t>(std::abs(scale) / 1000);
    EXPECT_NEAR(b.lambda[i] * scale, a.lambda[0] / 5, 1e-11) << i;
  }
}

TEST(mechanism, what_has_no_inertia_moves_if_constraints_move_it) {
  runtime::HandKernel free("moved"), held("moved");
  runtime::make_moved(free, 0, false);
  make_moved(held, 0, true);
  Mechanism f(free.abi()), h(held.abi());
  State state = h.nominal_state();
  state.t = 0.5;
  const Accelerations a = accelerations(h, state);
  EXPECT_EQ(a.status, runtime::Status::ok);
  EXPECT_NEAR(a.ddq[0], -0.1 * std::sin(0.5), 1e-15);
  EXPECT_NEAR(a.ddq[1], 0.1 * std::sin(0.5), 1e-15);
  EXPECT_EQ(accelerations(f, state).status, runtime::Status::singular);
  EXPECT_EQ(f.failure_text(),
            "t = 0.5 s: M_qq: singular at coordinate 'b'\n"
            "    pivot 0 of the scaled mass matrix (tolerance 1e-13)");
}

TEST(mechanism, a_value_that_is_not_finite_is_a_status_that_names_it) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.dq[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(accelerations(m, state).status, runtime::Status::not_finite);
  EXPECT_EQ(m.failure_text(), "t = 0 s: gamma: not finite at constraint 'phi[0]'");
  state = m.nominal_state();
  state.q[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(accelerations(m, state).status, runtime::Status::not_finite);
  EXPECT_EQ(m.failure_text(), "t = 0 s: dphi_dq: not finite at constraint 'phi[0]'");
}

TEST(mechanism, projection_closes_and_moves_as_little_as_the_masses_allow) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.q = {0.5, -0.5};
  state.dq = {1, 2};
  EXPECT_EQ(m.project_position(state), runtime::Status::ok);
  EXPECT_LE(m.largest_phi(state), 1e-11);
  // radial, because both directions weigh the same
  EXPECT_NEAR(state.q[0], 0.7 / std::sqrt(2.0), 1e-11);
  EXPECT_NEAR(state.q[1], -0.7 / std::sqrt(2.0), 1e-11);
  EXPECT_EQ(m.project_velocity(state), runtime::Status::ok);
  EXPECT_NEAR(state.dq[0], 1.5, 1e-10);
  EXPECT_NEAR(state.dq[1], 1.5, 1e-10);
}

TEST(mechanism, projection_follows_a_constraint_in_time_and_the_mass_metric) {
  runtime::HandKernel k("moved");
  runtime::make_moved(k, 1e-3);
  Mechanism m(k.abi());
  State state = m.nominal_state();
  state.t = 0.25;
  EXPECT_EQ(m.project_position(state), runtime::Status::ok);
  EXPECT_EQ(m.project_velocity(state), runtime::Status::ok);
  EXPECT_NEAR(state.q[0], 0.1 * std::sin(0.25), 1e-15);
  EXPECT_NEAR(state.q[1], 1 - 0.1 * std::sin(0.25), 1e-15);
  EXPECT_NEAR(state.dq[0], 0.1 * std::cos(0.25), 1e-15);
  EXPECT_NEAR(state.dq[1], -0.1 * std::cos(0.25), 1e-15);
}

TEST(mechanism, a_contradiction_does_not_converge_and_leaves_the_state) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k, 2, 0.5);
  Mechanism m(k.abi(), {"rod [m]", "other [mm]"});
  State state = m.nominal_state();
  state.q = {0.5, -0.5};
  EXPECT_EQ(m.project_position(state, {.max_iterations = 6}), runtime::Status::not_converged);
  EXPECT_THAT(state.q, ElementsAre(0.5, -0.5));
  EXPECT_THAT(m.failure_text(),
              testing::MatchesRegex("t = 0 s: projection of q: not converged at constraint "
                                    "'(rod|other)'\n    residual .* after 6 iterations "
                                    "\\(tolerance 1e-11 (m|mm)\\)"));
}

}  // namespace
}  // namespace klingel::mechanism
