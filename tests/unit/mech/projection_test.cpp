// Virtual power with grouping: forces up the points, moments up the bases, one projection each.
#include "mech/projection.hpp"

#include <gtest/gtest.h>

#include "mech/equations.hpp"
#include "mech/kinematics.hpp"
#include "sym/differentiate.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

class projection : public testing::Test {
 protected:
  // power per motion, zero where none was reported
  std::vector<Expr> powers(Projection& p, std::size_t n) {
    std::vector<Expr> list(n, m.number(0));
    p.project([&](std::size_t i, Expr power) { list[i] += power; });
    return list;
  }

  Model m{"m"};
  sym::Coordinate a = m.coordinate("a"), b = m.coordinate("b"), x = m.coordinate("x");
  Base A = m.rotation("A", m.ground_base(), axis::z, a.q);
  Base B = m.rotation("B", m.ground_base(), axis::y, b.q);  // another branch
  Point P = m.point("P", m.origin(), m.vector(A, x.q, 1, 0));
  Point Q = m.point("Q", P, m.vector(B, 0, 0, 2));
};

TEST_F(projection, motions_are_the_coordinates_of_each_edge) {
  m.rotation("C", B, axis::x, a.q - 2 * b.q);
  const std::vector<Motion> motions = motions_of(m);
  ASSERT_EQ(motions.size(), 5u);
  EXPECT_EQ(motions[0].coordinate, 2u);  // x, the edge to P
  EXPECT_FALSE(motions[0].rotation);
  EXPECT_TRUE(motions[0].direction[0].is(1));
  EXPECT_TRUE(motions[1].rotation);  // a in A, b in B, both in C
  EXPECT_EQ(motions[3].edge, motions[4].edge);
  EXPECT_TRUE(motions[3].direction[0].is(1));
  EXPECT_TRUE(motions[4].direction[0].is(-2));
}

// the power of a force at Q and a moment on B is F dv_Q/d(dq) + M dw_B/d(dq)
TEST_F(projection, is_the_power_on_partial_velocities) {
  const Vector F = m.vector(m.ground_base(), 1, 2, 3), M = m.vector(A, 4, 5, 6);
  m.add_force("F", F, Q);
  m.add_moment("M", M, B);
  const std::vector<Expr> grouped = generalized_forces(m);
  const Vector v = in_base(velocity(m.ground(), Q), m.ground_base());
  const Vector w = in_base(angular_velocity(m.ground_base(), B), m.ground_base());
  const test::State state = test::random_state(m, 5);
  for (std::size_t j = 0; j < 3; ++j) {
    const Expr dq = m.coordinates()[j].dq;
    const Expr direct = dot(derivative(v, dq, v.base), F) + dot(derivative(w, dq, w.base), M);
    EXPECT_NEAR(test::value_at(m, grouped[j], state), test::value_at(m, direct, state), 1e-14);
  }
}

TEST_F(projection, sums_first_and_reports_every_motion_once) {
  const std::vector<Motion> motions = motions_of(m);
  Projection p(m, m.points(), motions);
  const Vector F = m.vector(m.ground_base(), 1, 0, 0);
  for (int i = 0; i < 5; ++i) p.add_force(Q.index, F);
  std::vector<int> reports(motions.size());
  p.project([&](std::size_t i, Expr) { ++reports[i]; });
  for (const int n : reports) EXPECT_LE(n, 1);
}

TEST_F(projection, is_empty_after_use_and_ignores_the_ground) {
  const std::vector<Motion> motions = motions_of(m);
  Projection p(m, m.points(), motions);
  p.add_force(m.origin().index, m.vector(m.ground_base(), 1, 2, 3));
  p.add_moment(m.ground_base().index, m.vector(m.ground_base(), 1, 2, 3));
  p.add_force(Q.index, m.zero_vector());
  int reports = 0;
  p.project([&](std::size_t, Expr) { ++reports; });
  EXPECT_EQ(reports, 0);
  p.add_force(Q.index, m.vector(m.ground_base(), 1, 2, 3));
  p.project([&](std::size_t, Expr) { ++reports; });
  EXPECT_GT(reports, 0);
  reports = 0;
  p.project([&](std::size_t, Expr) { ++reports; });
  EXPECT_EQ(reports, 0);
}

TEST_F(projection, the_moment_of_a_spinning_body_does_not_bring_its_angle_in) {
  const Expr I = m.parameter("I", 2);
  const Body& disc =
      m.body("disc", P, B, 1, m.vector(B, 0, 0, 0), m.inertia(B, I, m.parameter("J", 3), I));
  const std::vector<Motion> motions = motions_of(m);
  Projection p(m, m.points(), motions);
  const Expr mx = m.parameter("mx", 1), my = m.parameter("my", 2), mz = m.parameter("mz", 3);
  p.add_moment(disc, {mx, my, mz});
  const std::vector<Expr> power = powers(p, motions.size());
  EXPECT_EQ(power[2], my);  // on b, about y
}

}  // namespace
}  // namespace klingel::mech
