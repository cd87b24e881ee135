// The recursive operators: shared paths are shared atoms, and results are kept. That they are right
// is shown in tests/physics/equal_kinematics_test.cpp.
#include "mech/kinematics.hpp"

#include <gtest/gtest.h>

#include "mech/equations.hpp"
#include "sym/count.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

class kinematics : public testing::Test {
 protected:
  std::size_t operations(std::initializer_list<Vector> list) {
    std::vector<Expr> all;
    for (const Vector& u : list) all.insert(all.end(), u.c.begin(), u.c.end());
    return sym::count(all).total();
  }
  Expr length(const std::string& name) { return m.parameter(name, 1); }

  Model m{"m"};
  sym::Coordinate a = m.coordinate("a"), b = m.coordinate("b"), c = m.coordinate("c"),
                  x = m.coordinate("x");
  Base A = m.rotation("A", m.ground_base(), axis::z, a.q);
  Base B = m.rotation("B", A, axis::x, b.q);
  Base C = m.rotation("C", B, axis::y, c.q);
  Point P = m.point("P", m.origin(), m.vector(A, x.q, length("l"), 0));
  Point Q = m.point("Q", P, m.vector(C, length("qx"), length("qy"), length("qz")));
  Point R = m.point("R", P, m.vector(C, length("rx"), length("ry"), length("rz")));
};

TEST_F(kinematics, asking_again_makes_no_atom) {
  const auto ask = [&] {
    position(m.origin(), Q);
    velocity(m.ground(), Q);
    acceleration(m.ground(), Q);
    bias_acceleration(m.ground(), Q);
    bias_acceleration_less_gravity(Q);
    angular_velocity(m.ground_base(), C);
    angular_acceleration(m.ground_base(), C);
    base_change(m.ground_base(), C);
  };
  ask();
  const std::size_t before = m.graph().size();
  ask();
  EXPECT_EQ(m.graph().size(), before);
}

// v_Q = v_P + w x r_Q, all in C: the second point of the body costs its own cross product and sum
TEST_F(kinematics, velocities_of_two_points_of_a_body_share_what_is_common) {
  const Vector v_Q = velocity(m.ground(), Q), v_R = velocity(m.ground(), R);
  const std::size_t edge = 9 + 3;
  EXPECT_EQ(operations({v_Q, v_R}), operations({v_Q}) + edge);
  const Vector a_Q = acceleration(m.ground(), Q), a_R = acceleration(m.ground(), R);
  EXPECT_EQ(operations({a_Q, a_R}), operations({a_Q}) + 15 + 3);
}

TEST_F(kinematics, a_base_further_out_uses_the_result_of_its_parent) {
  const Vector w_B = angular_velocity(m.ground_base(), B);
  const Vector w_C = angular_velocity(m.ground_base(), C);
  // turned by one coordinate rotation, one component added to
  EXPECT_LE(operations({w_B, w_C}), operations({w_B}) + 6 + 1 + 3);
}

TEST_F(kinematics, what_does_not_move_is_exactly_zero) {
  EXPECT_TRUE(is_zero(velocity({P, C}, Q).c));
  EXPECT_TRUE(is_zero(acceleration({P, C}, Q).c));
  EXPECT_TRUE(is_zero(position(Q, Q).c));
  EXPECT_TRUE(is_zero(angular_velocity(C, C).c));
  EXPECT_TRUE(is_zero(angular_acceleration(C, C).c));
  EXPECT_TRUE(is_zero(velocity(m.ground(), m.origin()).c));
}

TEST_F(kinematics, backwards_is_the_negative) {
  const test::State state = test::random_state(m, 3);
  const auto at = [&](const Vector& u) {
    return test::values_at(m, in_base(u, m.ground_base()).c, state);
  };
  const auto expect_negative = [&](const Vector& u, const Vector& v) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(at(u)[i], -at(v)[i], 1e-14);
  };
  expect_negative(position(Q, R), position(R, Q));
  expect_negative(angular_velocity(A, C), angular_velocity(C, A));
  expect_negative(velocity({Q, B}, m.origin()), velocity({m.origin(), B}, Q));
}

TEST_F(kinematics, base_changes_are_transposed_backwards_without_new_atoms) {
  const Block forth = base_change(m.ground_base(), C);
  const std::size_t before = m.graph().size();
  EXPECT_EQ(base_change(C, m.ground_base()), transposed(forth));
  EXPECT_EQ(m.graph().size(), before);
}

TEST_F(kinematics, the_bias_is_free_of_accelerations) {
  for (const Expr& e : bias_acceleration(m.ground(), Q).c)
    EXPECT_EQ(m.graph().node(e.id()).kinds & bit(sym::SymbolKind::acceleration), 0);
  for (const Expr& e : bias_angular_acceleration(m.ground_base(), C).c)
    EXPECT_EQ(m.graph().node(e.id()).kinds & bit(sym::SymbolKind::acceleration), 0);
}

TEST_F(kinematics, less_gravity_follows_gravity) {
  const auto at_origin = [&] { return bias_acceleration_less_gravity(m.origin()).c; };
  const auto at_rest = [&] {
    return test::values_at(m, in_base(bias_acceleration_less_gravity(Q), m.ground_base()).c,
                           test::State(m));
  };
  EXPECT_TRUE(is_zero(at_origin()));
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
  EXPECT_EQ(sym::value(at_origin()[2]), 9.81);
  EXPECT_DOUBLE_EQ(at_rest()[2], 9.81);
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -1.62));
  EXPECT_DOUBLE_EQ(at_rest()[2], 1.62);
}

TEST_F(kinematics, weight_acts_at_the_centre_of_mass) {
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -10));
  const Body& body = m.body("b", P, m.ground_base(), 2, m.vector(m.ground_base(), 0.5, 0, 0),
                            m.inertia(m.ground_base(), 1, 1, 1));
  const Wrench w = gravity_wrench(body);
  EXPECT_EQ(sym::value(w.force.z()), -20);
  EXPECT_EQ(sym::value(w.moment.y()), 10);  // 0.5 e_x times -20 e_z
  EXPECT_EQ(w.point, P);
  // energy grows by m g h
  const Expr V = gravity_energy(body);
  EXPECT_DOUBLE_EQ(test::value_at(m, V, test::State(m)), 0);
}

TEST_F(kinematics, without_gravity_there_is_no_weight) {
  const Body& body = m.body("b", P, A, 2);
  EXPECT_TRUE(is_zero(gravity_wrench(body).force.c));
  EXPECT_TRUE(gravity_energy(body).is(0));
}

// a body that turns about a fixed axis: H = I w, T = I w^2 / 2
TEST_F(kinematics, inertia_wrench_of_a_flywheel) {
  const Expr J = m.parameter("J", 3);
  const Body& body = m.body("wheel", m.origin(), A, 5, m.vector(A, 0, 0, 0),
                            m.inertia(A, 2, m.parameter("I", 2), J));
  const Wrench w = inertia_wrench(body);
  const test::State state = test::random_state(m, 2);
  EXPECT_NEAR(test::value_at(m, in_base(w.moment, A).z() + J * a.ddq, state), 0, 1e-15);
  EXPECT_TRUE(is_zero(w.force.c));
  EXPECT_NEAR(test::value_at(m, kinetic_energy(body) - J * a.dq * a.dq / 2, state), 0, 1e-15);
}

}  // namespace
}  // namespace klingel::mech
