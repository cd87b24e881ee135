// Coordinate partitioning: the same solution as elimination of the whole system, projections that
// leave independent coordinates alone, and both methods together as the step shrinks.
#include "step/partitioning.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "step/partitioned_solver.hpp"
#include "step/stepper.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/curve_vehicle.hpp"

namespace klingel::step {
namespace {

using support::Curve;
using support::FileVehicle;
using support::SimpleVehicle;

SimpleVehicle wheelset(const Curve& curve = {}) {
  SimpleVehicle v = support::simple_vehicle("test_wheelset", {}, [&](mech::Model& m) {
    return support::free_wheelset(m, 1250, 700, 100, 0.45 + 1e-4);
  });
  support::put_on(v, {}, curve);
  return v;
}

VehicleState rolling(Simulator& s, double speed, double offset) {
  VehicleState state = s.state();
  state.q = {0, offset, 0.45 + 1e-4, 0, 0, 0};
  start::settle(s, state, {.held = {0, 1, 3, 5}});
  state.dq = {speed, 0, 0, 0, 0, speed / start::rolling_radius(s, state, 0)};
  start::project_velocities(s, state);
  return state;
}

// with constraints met so closely that every step has to correct q
StepOptions exact(LinearMethod method) {
  StepOptions options;
  options.method = method;
  options.phi_tolerance = 1e-13;
  return options;
}

StepOptions partitioned() {
  StepOptions options;
  options.method = LinearMethod::partitioning;
  return options;
}

TEST(partitioning, solves_saddle_point_systems) {
  constexpr Eigen::Index n = 9, m = 4;
  Partitioning partitioning(n, m);
  std::srand(7);
  for (const Eigen::Index released : {-1, 2}) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n) + 5 * Eigen::MatrixXd::Identity(n, n);
    Eigen::MatrixXd Phi = Eigen::MatrixXd::Random(m, n);
    const Eigen::VectorXd f = Eigen::VectorXd::Random(n);
    Eigen::VectorXd g = Eigen::VectorXd::Random(m);
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + m, n + m);
    if (released >= 0) {
      Phi.row(released).setZero();
      g[released] = 0;
      whole(n + released, n + released) = 1;
    }
    const double h = 0.01;
    whole.topLeftCorner(n, n) = A;
    whole.topRightCorner(n, m) = h * Phi.transpose();
    whole.bottomLeftCorner(m, n) = Phi;
    Eigen::VectorXd right(n + m);
    right << f, g;
    const Eigen::VectorXd expected = whole.fullPivLu().solve(right);
    ASSERT_TRUE(partitioning.decompose(Phi, released < 0 ? m : m - 1));
    Eigen::VectorXd x(n), lambda(m);
    ASSERT_TRUE(partitioning.solve(A, h, f, g, x, lambda));
    // a few roundings of systems of condition 1e2
    EXPECT_LT((x - expected.head(n)).norm(), 1e-12 * expected.head(n).norm());
    EXPECT_LT((lambda - expected.tail(m)).norm(), 1e-12 * expected.tail(m).norm());

    partitioning.solve_dependent(g, x);
    EXPECT_LT((Phi * x - g).norm(), 1e-13);
    for (Eigen::Index k = partitioning.rank(); k < n; ++k)
      EXPECT_EQ(x[partitioning.coordinate(k)], 0);
  }
}

TEST(partitioning, constraints_that_depend_on_each_other_are_noticed) {
  Partitioning partitioning(5, 2);
  Eigen::MatrixXd Phi = Eigen::MatrixXd::Ones(2, 5);
  EXPECT_FALSE(partitioning.decompose(Phi, 2));
  Phi(1, 3) = -1;
  EXPECT_TRUE(partitioning.decompose(Phi, 2));
}

// Both methods on the same system: from the same state they give the same velocities and normal
// forces. What they are measured against: the largest of each.
void expect_same_solution(SimpleVehicle& v, const VehicleState& start, int steps, double h) {
  Simulator other(v.data);
  Simulator& s = *v.simulator;
  s.set_state(start);
  double worst_dq = 0, worst_N = 0;
  for (int i = 0; i < steps; ++i) {
    other.set_state(s.state());
    ASSERT_EQ(s.step(h), runtime::Status::ok) << s.failure_text();
    ASSERT_EQ(other.step(h, partitioned()), runtime::Status::ok) << other.failure_text();
    double size = 0, weight = 0;
    for (const double dq : s.dq_end()) size = std::max(size, std::abs(dq));
    for (const PointResult& r : s.tread()) weight = std::max(weight, r.N);
    for (std::size_t k = 0; k < s.coordinates(); ++k) {
      worst_dq = std::max(worst_dq, std::abs(s.dq_end()[k] - other.dq_end()[k]) / size);
    }
    for (std::size_t k = 0; k < v.data.wheels.size(); ++k)
      worst_N = std::max(worst_N, std::abs(s.tread()[k].N - other.tread()[k].N) / weight);
  }
  printf("    static LU and partitioning differ by %.1e of dq, %.1e of N\n", worst_dq, worst_N);
  EXPECT_LT(worst_dq, 1e-10);
  EXPECT_LT(worst_N, 1e-10);
}

TEST(partitioning, agrees_with_generated_elimination_on_a_wheelset) {
  SimpleVehicle v = wheelset();
  expect_same_solution(v, rolling(*v.simulator, 20, 4e-3), 50, 1e-3);
}

TEST(partitioning, agrees_with_generated_elimination_on_the_locomotive) {
  const Curve curve{1.0 / 1500, 0};
  FileVehicle v = support::file_vehicle("feve3000", curve);
  expect_same_solution(v, support::start_locomotive(v, curve, 11.87, 1e-3), 20, 1e-3);
}

TEST(partitioning, corrects_one_coordinate_per_wheel) {
  SimpleVehicle v = wheelset({1.0 / 500, 0});
  Simulator& s = *v.simulator;
  rolling(s, 20, 4e-3);
  const StepOptions options = exact(LinearMethod::partitioning);
  ASSERT_EQ(s.step(1e-3, options), runtime::Status::ok) << s.failure_text();
  EXPECT_EQ(s.stepper().system.partition().factors.rank(), 2);
  const VehicleState before = s.state();
  ASSERT_EQ(s.step(1e-3, options), runtime::Status::ok) << s.failure_text();
  ASSERT_GT(s.newton_q(), 0);
  // the mid-point rule alone decides the others
  int moved = 0;
  for (std::size_t i = 0; i < s.coordinates(); ++i) {
    const double mid = before.q[i] + (before.dq[i] + s.dq_end()[i]) / 2 * 1e-3;
    moved += s.state().q[i] == mid ? 0 : 1;
  }
  EXPECT_EQ(moved, 2);
}

TEST(partitioning, steps_do_not_allocate) {
  SimpleVehicle v = wheelset();
  rolling(*v.simulator, 20, 1e-3);
  ASSERT_EQ(v.simulator->step(1e-3, partitioned()), runtime::Status::ok);
  const std::size_t before = klingel::test::allocation_count();
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(v.simulator->step(1e-3, partitioned()), runtime::Status::ok);
  EXPECT_EQ(klingel::test::allocation_count(), before);
}

TEST(partitioning, released_and_caught_wheels_change_the_factors) {
  SimpleVehicle v = wheelset();
  Simulator& s = *v.simulator;
  VehicleState state = rolling(s, 10, 0);
  state.dq[2] = 0.5;
  for (PointState& p : state.tread) p.on = false;
  s.set_state(state);
  ASSERT_EQ(s.step(1e-3, partitioned()), runtime::Status::ok);
  EXPECT_EQ(s.stepper().system.partition().factors.rank(), 0);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(s.step(1e-3, partitioned()), runtime::Status::ok);
  EXPECT_TRUE(s.state().tread[0].on && s.state().tread[1].on);
  EXPECT_EQ(s.stepper().system.partition().factors.rank(), 2);
  EXPECT_LT(s.largest_phi(), 1e-9);
}

// Corrections move along other directions, so that trajectories differ by an error of the step that
// must vanish with it.
TEST(partitioning, trajectories_of_both_methods_meet_as_the_step_shrinks) {
  SimpleVehicle v = wheelset({1.0 / 500, 0});
  Simulator& s = *v.simulator;
  const VehicleState start = rolling(s, 20, 4e-3);
  double before = 0;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    std::vector<double> ends[2];
    for (const LinearMethod method : {LinearMethod::static_lu, LinearMethod::partitioning}) {
      s.set_state(start);
      for (int i = 0; i < std::lround(1 / h); ++i)
        ASSERT_EQ(s.step(h, exact(method)), runtime::Status::ok) << s.failure_text();
      ends[method == LinearMethod::partitioning ? 1 : 0] = s.state().q;
    }
    double apart = 0;
    for (std::size_t i = 0; i < ends[0].size(); ++i)
      apart = std::max(apart, std::abs(ends[0][i] - ends[1][i]));
    printf("    h %.1e s: after 1 s q differs by %.2e\n", h, apart);
    // first order at least
    if (before > 0) {
      EXPECT_LT(apart, 0.6 * before);
    }
    before = apart;
  }
  EXPECT_LT(before, 1e-4);
}

}  // namespace
}  // namespace klingel::step
