// What the schemes of the step converge to, and how fast: errors against the reference integrator
// at steps that are halved.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/add_comparison.hpp"
#include "tests/support/curve_vehicle.hpp"

namespace klingel::physics {
namespace {

using namespace support;
using runtime::Status;
using step::Scheme;

// largest difference of q, coordinates that grow (position, spins) included
double error(const step::VehicleState& a, const step::VehicleState& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    largest = std::max(largest, std::abs(a.q[i] - b.q[i]));
  return largest;
}

step::VehicleState at_end(step::Simulator& s, const step::VehicleState& start, double duration,
                          double h, Scheme scheme) {
  step::StepOptions options;
  options.scheme = scheme;
  if (scheme == Scheme::trapezoidal || scheme == Scheme::reference) reference::add_comparison(s);
  s.set_state(start);
  const long steps = std::lround(duration / h);
  for (long i = 0; i < steps; ++i) {
    EXPECT_EQ(s.step(h, options), Status::ok) << s.failure_text();
    if (testing::Test::HasFailure()) break;
  }
  return s.state();
}

// errors at h, h/2, h/4; the order seen in the last halving
double order(step::Simulator& s, const step::VehicleState& start, double duration, double h,
             Scheme scheme, const char* name) {
  const step::VehicleState exact = at_end(s, start, duration, duration / 4, Scheme::reference);
  double before = 0, seen = 0;
  for (int i = 0; i < 3; ++i, h /= 2) {
    const double e = error(at_end(s, start, duration, h, scheme), exact);
    seen = before > 0 ? std::log2(before / e) : 0;
    printf("    %s, h %.2e s: error %.3e, order %.2f\n", name, h, e, seen);
    before = e;
  }
  return seen;
}

struct Rolling {
  SimpleVehicle v;
  step::VehicleState start;
};

// 4 mm off the middle and turned: hunting, in creepages of some 1e-3
Rolling wheelset(const Curve& curve) {
  Rolling r{
      simple_vehicle("klingel_wheelset", {},
                     [](mech::Model& m) { return free_wheelset(m, 1250, 700, 100, 0.45 + 1e-4); }),
      {}};
  put_on(r.v, {}, curve);
  step::Simulator& s = *r.v.simulator;
  r.start = s.state();
  r.start.q = {0, 4e-3, 0.45 + 1e-4, 1e-3, curve.cant, 0};
  start::settle(s, r.start, {.held = {0, 1, 3, 5}});
  r.start.dq = {20, 0, 0, 20 * curve.curvature, 0, 20 / start::rolling_radius(s, r.start, 0)};
  start::project_velocities(s, r.start);
  return r;
}

Rolling rolling_bogie(const Curve& curve) {
  Rolling r{bogie_vehicle({}, curve), {}};
  step::Simulator& s = *r.v.simulator;
  r.start = s.state();
  r.start.q.assign(Bogie::coordinates, 0);
  r.start.q[1] = 3e-3;
  r.start.q[2] = Bogie::height;
  r.start.q[4] = curve.cant;
  for (const std::size_t spin : Bogie::spins) r.start.q[spin - 3] = 0.45 - Bogie::height;
  start::settle(s, r.start, {.held = {0, 1, 3, 9, 11, 15, 17}});
  r.start.dq.assign(Bogie::coordinates, 0);
  r.start.dq[0] = 20;
  r.start.dq[3] = 20 * curve.curvature;
  for (std::size_t k = 0; k < 2; ++k)
    r.start.dq[Bogie::spins[k]] = 20 / start::rolling_radius(s, r.start, k);
  start::project_velocities(s, r.start);
  return r;
}

TEST(step_convergence, schemes_of_a_wheelset_meet_the_reference_in_first_order) {
  Rolling r = wheelset({1.0 / 800, 0.02});
  step::Simulator& s = *r.v.simulator;
  EXPECT_NEAR(order(s, r.start, 0.4, 1e-3, Scheme::imex, "imex"), 1, 0.2);
  EXPECT_NEAR(order(s, r.start, 0.4, 1e-3, Scheme::imex_printed, "printed"), 1, 0.2);
  EXPECT_NEAR(order(s, r.start, 0.4, 4e-5, Scheme::explicit_euler, "explicit Euler"), 1, 0.2);
}

TEST(step_convergence, the_trapezoidal_rule_is_of_second_order) {
  Rolling r = wheelset({1.0 / 800, 0.02});
  EXPECT_NEAR(order(*r.v.simulator, r.start, 0.4, 2e-3, Scheme::trapezoidal, "trapezoidal"), 2,
              0.3);
}

TEST(step_convergence, schemes_of_a_bogie_meet_the_reference_in_first_order) {
  Rolling r = rolling_bogie({1.0 / 800, 0.02});
  step::Simulator& s = *r.v.simulator;
  EXPECT_NEAR(order(s, r.start, 0.2, 1e-3, Scheme::imex, "imex"), 1, 0.2);
  EXPECT_NEAR(order(s, r.start, 0.2, 1e-3, Scheme::imex_printed, "printed"), 1, 0.2);
  EXPECT_NEAR(order(s, r.start, 0.2, 1e-3, Scheme::trapezoidal, "trapezoidal"), 2, 0.3);
}

// twice as exact, the reference must not move: what is left of its own error
TEST(step_convergence, the_reference_does_not_depend_on_its_steps) {
  Rolling r = wheelset({1.0 / 800, 0.02});
  step::Simulator& s = *r.v.simulator;
  const step::VehicleState once = at_end(s, r.start, 0.2, 0.2, Scheme::reference);
  const step::VehicleState often = at_end(s, r.start, 0.2, 0.2 / 400, Scheme::reference);
  const double apart = error(once, often);
  printf("    reference in 1 and in 400 parts: %.1e apart\n", apart);
  EXPECT_LT(apart, 1e-7);
}

TEST(step_convergence, the_reference_keeps_the_constraints) {
  Rolling r = rolling_bogie({});
  step::Simulator& s = *r.v.simulator;
  at_end(s, r.start, 0.05, 0.05, Scheme::reference);
  step::StepOptions options;
  ASSERT_EQ(s.step(1e-6, options), Status::ok);
  EXPECT_LT(s.largest_phi(), 1e-9);
  for (const step::PointResult& p : s.tread()) EXPECT_LT(std::abs(p.gap), 1e-11);
}

}  // namespace
}  // namespace klingel::physics
