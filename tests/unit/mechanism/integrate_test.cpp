// Integrators as programs: they land on the time asked for, allocate nothing in fixed steps, stop
// with a record and a valid state, and run beside each other. Their physics is in tests/physics.
#include "mechanism/integrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "mechanism/assemble.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/unit/runtime/hand_kernel.hpp"

namespace klingel::mechanism {
namespace {

using testing::ElementsAre;

constexpr Method all[] = {Method::semi_implicit_euler, Method::rk4, Method::implicit_midpoint,
                          Method::dopri5};
constexpr Method fixed[] = {Method::semi_implicit_euler, Method::rk4, Method::implicit_midpoint};

TEST(integrate, methods_have_names) {
  for (const Method method : all) EXPECT_EQ(method_by_name(name(method)), method);
  EXPECT_EQ(runtime::error_of([] { method_by_name("rk5"); }),
            "there is no integrator 'rk5'; did you mean 'rk4'?; there are: semi_implicit_euler, "
            "rk4, implicit_midpoint, dopri5");
}

TEST(integrate, options_out_of_range_are_errors) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  EXPECT_EQ(runtime::error_of([&] { Integrator i(m, {.h = 0}); }),
            "the step h of the integrator is 0, expected a positive number");
  EXPECT_EQ(runtime::error_of([&] { Integrator i(m, {.tolerance = -1}); }),
            "the tolerance of the integrator is -1, expected a positive number");
  Integrator i(m);
  State state = m.nominal_state();
  EXPECT_EQ(runtime::error_of([&] { i.advance(state, -1); }),
            "cannot integrate from t = 0 s to -1 s");
}

TEST(integrate, lands_exactly_on_the_time_asked_for) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  for (const Method method : all) {
    Integrator i(m, {.method = method, .h = 0.01});
    State state = m.nominal_state();
    EXPECT_EQ(i.advance(state, 1.0), runtime::Status::ok);
    EXPECT_EQ(state.t, 1.0);
    if (method != Method::dopri5) {
      EXPECT_EQ(i.steps(), 100);
    }
    EXPECT_EQ(i.advance(state, 1.0), runtime::Status::ok);
    EXPECT_EQ(i.advance(state, 1.0049), runtime::Status::ok);
    EXPECT_EQ(state.t, 1.0049);
    EXPECT_NEAR(state.q[0], std::cos(2 * 1.0049), 2e-2) << name(method);
  }
}

TEST(integrate, one_step_is_h) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  for (const Method method : fixed) {
    Integrator i(m, {.method = method, .h = 0.01});
    State state = m.nominal_state();
    EXPECT_EQ(i.step(state), runtime::Status::ok);
    EXPECT_EQ(state.t, 0.01);
    EXPECT_EQ(i.steps(), 1);
  }
}

TEST(integrate, a_thousand_fixed_steps_allocate_nothing) {
  runtime::HandKernel spring("spring"), rod("rod");
  runtime::make_spring(spring);
  runtime::make_rod(rod, 3);
  for (runtime::HandKernel* k : {&spring, &rod}) {
    for (const Method method : fixed) {
      Mechanism m(k->abi());
      State state = m.nominal_state();
      state.dq[0] = 1;
      assemble(m, state);
      Integrator i(m, {.method = method, .h = 1e-3});
      Trajectory trajectory(m, 1000);
      const std::size_t before = test::allocation_count();
      for (int step = 0; step < 1000; ++step) {
        ASSERT_EQ(i.step(state), runtime::Status::ok);
        trajectory.add(m, state);
      }
      EXPECT_EQ(test::allocation_count(), before) << m.name() << " " << name(method);
      EXPECT_EQ(trajectory.rows(), 1000u);
    }
  }
}

// a spring that loses its mind after half a second
void make_mad(runtime::HandKernel& k) {
  make_spring(k);
  k.remove("delta_q").dense("delta_q", "delta_q", 1, 1, [](auto in, auto out) {
    out[0][0] = in[2][0] > 0.5 ? std::numeric_limits<double>::quiet_NaN() : -in[1][0];
  });
}

TEST(integrate, a_nan_stops_it_with_time_and_step_and_leaves_the_last_good_state) {
  runtime::HandKernel k("mad");
  make_mad(k);
  Mechanism m(k.abi());
  for (const Method method : fixed) {
    Integrator i(m, {.method = method, .h = 0.125});
    State state = m.nominal_state();
    EXPECT_EQ(i.advance(state, 10), runtime::Status::not_finite) << name(method);
    EXPECT_LE(state.t, 0.5 + 0.125);
    EXPECT_GE(state.t, 0.375);
    EXPECT_EQ(i.failure().t, state.t);
    EXPECT_EQ(i.failure().step, i.steps() + 1);
    EXPECT_TRUE(std::isfinite(state.q[0]) && std::isfinite(state.dq[0]));
    // and again, and the state stays
    const State before = state;
    EXPECT_EQ(i.step(state), runtime::Status::not_finite);
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.dq, before.dq);
  }
  Integrator rk4(m, {.h = 0.125});
  State state = m.nominal_state();
  rk4.advance(state, 10);
  EXPECT_EQ(rk4.failure_text(), "t = 0.5 s (step 5): delta_q: not finite at coordinate 'x'");
}

TEST(integrate, the_adaptive_one_goes_to_the_edge_and_no_further) {
  runtime::HandKernel k("mad");
  make_mad(k);
  Mechanism m(k.abi());
  Integrator i(m, {.method = Method::dopri5, .h = 0.1});
  State state = m.nominal_state();
  EXPECT_EQ(i.advance(state, 10), runtime::Status::not_finite);
  EXPECT_NEAR(state.t, 0.5, 1e-9);
  EXPECT_LE(state.t, 0.5);
  EXPECT_TRUE(std::isfinite(state.q[0]));
  EXPECT_THAT(i.failure_text(), testing::HasSubstr("delta_q: not finite at coordinate 'x'"));
}

TEST(integrate, the_adaptive_one_refuses_to_creep) {
  // a force that no step size makes smooth: infinite frequency at t = 1
  runtime::HandKernel k("chirp");
  runtime::make_spring(k);
  k.remove("delta_q").dense("delta_q", "delta_q", 1, 1, [](auto in, auto out) {
    out[0][0] = -std::pow(std::abs(1 - in[2][0]), -2.5);
  });
  Mechanism m(k.abi());
  Integrator i(m, {.method = Method::dopri5});
  State state = m.nominal_state();
  EXPECT_NE(i.advance(state, 2), runtime::Status::ok);
  EXPECT_LE(state.t, 1);
  EXPECT_TRUE(std::isfinite(state.q[0]) && std::isfinite(state.dq[0]));
}

TEST(integrate, a_midpoint_that_does_not_converge_says_so) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  m.set_parameter("stiffness", 1e6);
  Integrator i(m, {.method = Method::implicit_midpoint, .h = 0.1});
  State state = m.nominal_state();
  EXPECT_EQ(i.step(state), runtime::Status::not_converged);
  EXPECT_THAT(i.failure_text(), testing::StartsWith("t = 0 s (step 1): implicit midpoint: not "
                                                    "converged at coordinate 'x'\n    residual "));
  EXPECT_EQ(state.q[0], 1);
}

TEST(integrate, a_contradiction_among_constraints_stops_the_first_step) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k, 2, 0.5);
  Mechanism m(k.abi());
  for (const Method method : all) {
    Integrator i(m, {.method = method});
    State state = m.nominal_state();
    EXPECT_EQ(i.step(state), runtime::Status::not_converged) << name(method);
    EXPECT_EQ(i.failure().equation, std::string("projection of q"));
    EXPECT_THAT(state.q, ElementsAre(0, -0.7));
  }
}

TEST(integrate, an_input_changed_between_steps_acts_at_once) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  for (const Method method : all) {
    Mechanism m(k.abi());
    Integrator i(m, {.method = method, .h = 0.01});
    State state = m.nominal_state();
    state.q[0] = 0;
    i.advance(state, 0.1);
    EXPECT_EQ(state.q[0], 0);
    m.set_input("pull", 2);
    i.advance(state, 0.2);
    EXPECT_NEAR(state.q[0], 0.25 * (1 - std::cos(0.2)), 5e-4) << name(method);
  }
}

TEST(integrate, constraints_in_time_drive_the_mechanism) {
  runtime::HandKernel k("moved");
  runtime::make_moved(k);
  Mechanism m(k.abi());
  for (const Method method : all) {
    State state = m.nominal_state();
    assemble(m, state);
    Integrator i(m, {.method = method, .h = 0.01});
    EXPECT_EQ(i.advance(state, 2), runtime::Status::ok) << i.failure_text();
    EXPECT_NEAR(state.q[0], 0.1 * std::sin(2.0), 1e-10);
    EXPECT_NEAR(state.q[1], 1 - 0.1 * std::sin(2.0), 1e-10);
    EXPECT_NEAR(state.dq[1], -0.1 * std::cos(2.0), 1e-9);
  }
}

TEST(integrate, simulating_records_the_start_the_interval_and_the_end) {
  runtime::HandKernel k("spring");
  runtime::make_spring(k);
  Mechanism m(k.abi());
  EXPECT_EQ(rows_for(0, 1, 0.25), 5u);
  EXPECT_EQ(rows_for(0, 1, 0.3), 5u);
  EXPECT_EQ(rows_for(0, 0.3, 0.1), 4u);
  Trajectory trajectory(m, rows_for(0, 1, 0.3));
  Integrator i(m);
  State state = m.nominal_state();
  EXPECT_EQ(i.simulate(state, 1, 0.3, trajectory), runtime::Status::ok);
  const std::vector<double> t = trajectory.column("t [s]");
  EXPECT_THAT(t, ElementsAre(0, 0.3, 0.6, testing::DoubleEq(0.9), 1));
  EXPECT_EQ(runtime::error_of([&] { rows_for(0, 1, 0); }),
            "cannot record from t = 0 s to 1 s every 0 s");
}

TEST(integrate, two_mechanisms_in_two_threads_do_what_each_does_alone) {
  runtime::HandKernel k("rod");
  runtime::make_rod(k, 2);
  const klingel_kernel& table = k.abi();
  const auto run = [&table](double speed, State& state) {
    Mechanism m(table);
    state = m.nominal_state();
    state.dq[0] = speed;
    Integrator i(m, {.h = 1e-3});
    i.advance(state, 1);
  };
  State alone[2], together[2];
  for (int j = 0; j < 2; ++j) run(1.0 + j, alone[j]);
  {
    std::jthread a([&] { run(1.0, together[0]); }), b([&] { run(2.0, together[1]); });
  }
  for (int j = 0; j < 2; ++j) {
    EXPECT_EQ(alone[j].q, together[j].q);
    EXPECT_EQ(alone[j].dq, together[j].dq);
  }
}

}  // namespace
}  // namespace klingel::mechanism
