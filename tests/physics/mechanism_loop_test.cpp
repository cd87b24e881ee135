// Closed loops in mechanism/: a four-bar linkage stands where geometry says and stays closed,
// mechanisms that counting calls immobile move, and what cannot be assembled is explained.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "mechanism/assemble.hpp"
#include "mechanism/integrate.hpp"
#include "mechanism/state_file.hpp"
#include "tests/physics/mechanism_models.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::physics {
namespace {

using mechanism::Assembly;
using mechanism::Integrator;
using mechanism::Method;
using mechanism::State;
using runtime::Status;

constexpr Method all_methods[] = {Method::semi_implicit_euler, Method::rk4,
                                  Method::implicit_midpoint, Method::dopri5};

double total_energy(mechanism::Mechanism& m, const State& state) {
  const mechanism::Energy e = m.energy(state);
  return e.kinetic + e.potential;
}

using test::error_of;

// Coupler and rocker angles of a crank angle by two circles, in the plane x right, z up.
struct Angles {
  double b, c;
};
Angles by_geometry(const FourBar& l, double a, double side) {
  const double px = l.crank * std::cos(a), pz = l.crank * std::sin(a);
  const double dx = l.ground - px, dz = -pz, d = std::hypot(dx, dz);
  const double at_P =
      std::acos((l.coupler * l.coupler + d * d - l.rocker * l.rocker) / (2 * l.coupler * d));
  const double b = std::atan2(dz, dx) + side * at_P;
  const double qx = px + l.coupler * std::cos(b), qz = pz + l.coupler * std::sin(b);
  return {b, std::atan2(qz, qx - l.ground)};
}

TEST(four_bar, stands_where_geometry_says_for_every_crank_angle) {
  Simulated f = four_bar();
  const FourBar l;
  State state = f->nominal_state();
  for (int i = 0; i <= 72; ++i) {
    const double a = 0.5 + i * 6.283185307179586 / 72;
    f->coordinate(state, "a") = a;
    const Assembly assembly = mechanism::assemble(f.mechanism, state, {.coordinates = {"a"}});
    EXPECT_EQ(assembly.degrees_of_freedom, 1u);
    EXPECT_EQ(state.q[0], a);
    const double side = std::sin(state.q[1] - std::atan2(-l.crank * std::sin(a),
                                                         l.ground - l.crank * std::cos(a))) > 0
                            ? 1
                            : -1;
    const Angles expected = by_geometry(l, a, side);
    EXPECT_NEAR(std::remainder(state.q[1] - expected.b, 6.283185307179586), 0, 1e-11);
    EXPECT_NEAR(std::remainder(state.q[2] - expected.c, 6.283185307179586), 0, 1e-11);
  }
}

TEST(four_bar, rates_are_those_of_geometry) {
  Simulated f = four_bar();
  State state = f->nominal_state();
  f->rate(state, "da") = 3;
  mechanism::assemble(f.mechanism, state, {.coordinates = {"a"}, .rates = {"da"}});
  EXPECT_EQ(f->rate(state, "da"), 3);
  State later = state;
  const double h = 1e-6;
  f->coordinate(later, "a") += 3 * h;
  mechanism::assemble(f.mechanism, later, {.coordinates = {"a"}});
  // a difference quotient: error of order h
  for (const int i : {1, 2}) EXPECT_NEAR((later.q[i] - state.q[i]) / h, state.dq[i], 1e-3);
}

TEST(four_bar, stays_closed_for_ten_seconds) {
  Simulated f = four_bar();
  State start = f->nominal_state();
  f->rate(start, "da") = 12;
  mechanism::assemble(f.mechanism, start, {.coordinates = {"a"}, .rates = {"da"}});
  for (const Method method : all_methods) {
    Integrator integrator(f.mechanism, {.method = method, .h = 1e-3});
    mechanism::Trajectory trajectory(f.mechanism, mechanism::rows_for(0, 10, 1e-2));
    State state = start;
    EXPECT_EQ(integrator.simulate(state, 10, 1e-2, trajectory), Status::ok)
        << integrator.failure_text();
    const std::vector<double> residual = trajectory.column("largest_phi");
    EXPECT_LT(*std::max_element(residual.begin(), residual.end()), 1e-10)
        << mechanism::name(method);
    const auto rates = f->phi_rates(state);
    EXPECT_LT(std::max(std::abs(rates[0]), std::abs(rates[1])), 1e-9);
  }
}

TEST(four_bar, keeps_its_energy_by_the_order_of_the_method) {
  Simulated f = four_bar();
  State start = f->nominal_state();
  mechanism::assemble(f.mechanism, start, {.coordinates = {"a"}});
  const double energy = total_energy(f.mechanism, start);
  const auto error = [&](Method method, double h) {
    Integrator integrator(f.mechanism, {.method = method, .h = h});
    State state = start;
    EXPECT_EQ(integrator.advance(state, 2), Status::ok);
    return std::abs(total_energy(f.mechanism, state) - energy);
  };
  EXPECT_LT(error(Method::rk4, 1e-3), 1e-6);
  EXPECT_LT(error(Method::implicit_midpoint, 1e-3), 1e-4);
  EXPECT_LT(error(Method::dopri5, 1e-3), 1e-7);
}

// a run stopped half-way, saved and resumed, is the run that was not stopped
TEST(four_bar, resumes_from_a_saved_state_with_the_same_bits) {
  Simulated f = four_bar();
  State whole = f->nominal_state();
  mechanism::assemble(f.mechanism, whole, {.coordinates = {"a"}});
  State half = whole;
  Integrator integrator(f.mechanism, {.h = 1.0 / 1024});
  integrator.advance(whole, 1);
  integrator.advance(half, 0.5);
  State resumed =
      mechanism::parse_state(f.mechanism, mechanism::state_text(f.mechanism, half), "saved");
  integrator.advance(resumed, 1);
  EXPECT_EQ(resumed.q, whole.q);
  EXPECT_EQ(resumed.dq, whole.dq);
}

TEST(four_bar, with_links_too_short_says_which_constraint_stays_open) {
  Simulated f = four_bar({.ground = 2});
  State state = f->nominal_state();
  EXPECT_THAT(error_of([&] { mechanism::assemble(f.mechanism, state, {.coordinates = {"a"}}); }),
              testing::MatchesRegex(
                  "'four_bar' cannot be assembled: constraint 'loop.x' is 1.07 m after [0-9]+ "
                  "iterations \\(tolerance 1e-12 m\\)\n"
                  "    it could not be closed from here: 'loop.x' was 1.58 m at the start and no "
                  "change of the free coordinates brings it closer\n"
                  "    free: b, c; held: a\n"
                  "    try other start values, hold other coordinates, or check the lengths"));
}

TEST(four_bar, with_two_angles_held_is_over_constrained) {
  Simulated f = four_bar();
  State state = f->nominal_state();
  EXPECT_THAT(error_of([&] {
                mechanism::assemble(f.mechanism, state, {.coordinates = {"a", "b"}});
              }),
              testing::HasSubstr("it is over-constrained: of 2 constraints, only 1 can be met "
                                 "independently by 1 free coordinate, and the rest contradict "
                                 "them\n    free: c; held: a, b\n"));
}

TEST(four_bar, is_found_from_a_start_with_all_links_in_line) {
  Simulated f = four_bar();
  State state = f->nominal_state();
  state.q = {0, 0, 0};
  EXPECT_LE(mechanism::assemble(f.mechanism, state).largest_phi, 1e-12);
}

TEST(four_bar, a_flat_parallelogram_is_a_singular_position_with_one_freedom) {
  Simulated f = four_bar({.ground = 0.5, .crank = 0.2, .coupler = 0.5, .rocker = 0.2});
  State state = f->nominal_state();
  state.q = {0, 0, 0};
  const Assembly a = mechanism::assemble(f.mechanism, state);
  EXPECT_TRUE(a.singular_position);
  EXPECT_EQ(a.degrees_of_freedom, 1u);
  EXPECT_EQ(a.redundant, 0u);
}

TEST(four_bar, two_in_two_threads_do_what_each_does_alone) {
  const auto run = [](double crank, State& state) {
    Simulated f = four_bar({.crank = crank});
    state = f->nominal_state();
    mechanism::assemble(f.mechanism, state, {.coordinates = {"a"}});
    Integrator(f.mechanism, {}).advance(state, 1);
  };
  State alone[2], together[2];
  run(0.15, alone[0]);
  run(0.1, alone[1]);
  {
    std::jthread one([&] { run(0.15, together[0]); }), two([&] { run(0.1, together[1]); });
  }
  for (int i = 0; i < 2; ++i) EXPECT_EQ(alone[i].q, together[i].q);
  EXPECT_NE(alone[0].q, alone[1].q);
}

// A free beam on two cranks and a rod, all parallel: five coordinates, five constraints, and yet
// it swings. On closed positions only four constraints are independent; away from them, where the
// stages of a step are, all five seem to be.
Simulated beam_on_three() {
  mech::Model m("beam_on_three");
  const mech::Base ground = m.ground_base();
  const auto x = m.coordinate("x", 0.25), z = m.coordinate("z", -0.5),
             tilt = m.coordinate("tilt", 0.1);
  const mech::Base T = m.rotation("T", ground, mech::axis::y, tilt.q);
  const mech::Point end = m.point("end", m.origin(), m.vector(ground, x.q, 0, z.q));
  m.body("beam", end, T, 3.0, m.vector(T, 0.5, 0, 0), m.inertia(T, 0, 0.25, 0.25));
  add_gravity(m);
  const char* const names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; ++i) {
    const std::string name = names[i];
    const mech::Point pivot = m.point("pivot_" + name, m.origin(), m.vector(ground, 0.5 * i, 0, 0));
    const mech::Point joint = m.point("joint_" + name, end, m.vector(T, 0.5 * i, 0, 0));
    if (i == 2) {
      mech::distance(m, "rod", pivot, joint, 0.6);
      continue;
    }
    const auto angle = m.coordinate(name, 0.4 + 0.05 * i);
    const mech::Base B = m.rotation("B_" + name, ground, mech::axis::y, angle.q);
    const mech::Point tip = m.point("tip_" + name, pivot, m.vector(B, 0, 0, -0.6));
    m.body("crank_" + name, pivot, B, 1.0, m.vector(B, 0, 0, -0.3), m.inertia(B, 0.03, 0.03, 0));
    mech::coincide_in_plane(m, "joint_" + name, joint, tip, ground, mech::axis::y);
  }
  return simulated(m);
}

TEST(beam_on_three, swings_although_counting_forbids_it) {
  Simulated f = beam_on_three();
  State start = f->nominal_state();
  const Assembly a = mechanism::assemble(f.mechanism, start, {.coordinates = {"a"}});
  EXPECT_EQ(a.degrees_of_freedom, 1u);
  EXPECT_EQ(a.redundant, 1u);
  // where links are parallel, closing is of second order in the tilt
  EXPECT_NEAR(f->coordinate(start, "tilt"), 0, 1e-6);
  EXPECT_NEAR(f->coordinate(start, "b"), 0.4, 1e-6);

  // one pendulum of two cranks about their ends and the beam's mass at the tips
  const double inertia = 2 * (0.03 + 0.3 * 0.3) + 3 * 0.6 * 0.6;
  const double length = inertia / (2 * 0.3 + 3 * 0.6);
  const double period = pendulum_period(0.4, length);
  for (const Method method : all_methods) {
    Integrator integrator(f.mechanism, {.method = method, .h = 1e-3});
    State state = start;
    EXPECT_EQ(integrator.advance(state, 6 * period), Status::ok) << integrator.failure_text();
    const double tolerance = method == Method::semi_implicit_euler ? 1e-2 : 1e-5;
    EXPECT_NEAR(f->coordinate(state, "a"), 0.4, tolerance) << mechanism::name(method);
    EXPECT_LT(f->largest_phi(state), 1e-10);
  }
}

// A free body with Euler parameters: the mass matrix is singular along them, their norm is a
// constraint. Energy and angular momentum of a tumbling box stay.
TEST(euler_parameters, a_singular_mass_matrix_with_its_constraint_runs) {
  mech::Model m("tumbling");
  std::vector<mech::Expr> e;
  for (int i = 0; i < 4; ++i)
    e.push_back(m.coordinate(fmt::format("e{}", i), i == 0 ? 1 : 0, i * 0.5).q);
  const mech::Base B = m.euler_parameters("B", m.ground_base(), {e[0], e[1], e[2], e[3]});
  m.body("box", m.origin(), B, 1.0, m.zero_vector(), m.inertia(B, 1, 2, 3));
  mech::unit_norm(m, "norm", {e[0], e[1], e[2], e[3]});
  Simulated f = simulated(m, "");
  State state = f->nominal_state();
  const Assembly a = mechanism::assemble(f.mechanism, state);
  EXPECT_EQ(a.degrees_of_freedom, 3u);
  const double energy = f->energy(state).kinetic;
  EXPECT_GT(energy, 1);
  Integrator integrator(f.mechanism, {.h = 1e-3});
  EXPECT_EQ(integrator.advance(state, 10), Status::ok) << integrator.failure_text();
  EXPECT_NEAR(f->energy(state).kinetic, energy, 1e-9 * energy);
  EXPECT_LT(f->largest_phi(state), 1e-10);
}

}  // namespace
}  // namespace klingel::physics
