// The mass matrix of mechanisms small enough to be written by hand, and its structure.
#include "mech/mass_matrix.hpp"

#include <gtest/gtest.h>

#include <array>

#include "mech/kinematics.hpp"
#include "sym/count.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

class mass : public testing::Test {
 protected:
  double at(Expr e, const test::State& state) { return test::value_at(m, e, state); }
  Expr element(const sym::Matrix& M, std::uint32_t i, std::uint32_t j) {
    const sym::Entry* e = M.find(i, j);
    return e == nullptr ? m.number(0) : e->value;
  }

  Model m{"m"};
  Expr m1 = m.parameter("m1", 2), m2 = m.parameter("m2", 3), l1 = m.parameter("l1", 0.7),
       l2 = m.parameter("l2", 0.4);
};

TEST_F(mass, of_a_pendulum_is_m_l_squared) {
  const auto a = m.coordinate("a");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  m.body("bob", m.point("P", m.origin(), m.vector(A, 0, 0, -l1)), A, m1);
  const Expr M = element(mass_matrix(m), 0, 0);
  EXPECT_FALSE(sym::depends_on(M, a.q));
  EXPECT_DOUBLE_EQ(sym::value(M), 2 * 0.7 * 0.7);
}

// with absolute angles: M_12 = m2 l1 l2 cos(a - b), M_22 = m2 l2^2
TEST_F(mass, of_a_double_pendulum_in_absolute_angles) {
  const auto a = m.coordinate("a"), b = m.coordinate("b");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Base B = m.rotation("B", m.ground_base(), axis::y, b.q);
  const Point P = m.point("P", m.origin(), m.vector(A, 0, 0, -l1));
  m.body("first", P, A, m1);
  m.body("second", m.point("Q", P, m.vector(B, 0, 0, -l2)), B, m2);
  const sym::Matrix M = mass_matrix(m);
  const test::State state = test::random_state(m, 1);
  const double difference = static_cast<double>(state[a.q] - state[b.q]);
  EXPECT_NEAR(at(element(M, 0, 0), state), 5 * 0.49, 1e-15);
  EXPECT_NEAR(at(element(M, 0, 1), state), 3 * 0.28 * std::cos(difference), 1e-15);
  EXPECT_NEAR(at(element(M, 1, 1), state), 3 * 0.16, 1e-15);
  EXPECT_FALSE(sym::depends_on(element(M, 1, 1), b.q));
}

TEST_F(mass, branches_that_do_not_meet_have_no_entry) {
  const auto a = m.coordinate("a"), b = m.coordinate("b"), x = m.coordinate("x");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Base B = m.rotation("B", m.ground_base(), axis::x, b.q);
  m.body("left", m.point("P", m.origin(), m.vector(A, 0, 0, -l1)), A, m1);
  m.body("right", m.point("Q", m.origin(), m.vector(B, 0, 0, -l2)), B, m2);
  m.body("slider", m.point("X", m.origin(), m.vector(m.ground_base(), x.q, 0, 0)), B, m2);
  const sym::Matrix M = mass_matrix(m);
  EXPECT_EQ(M.entries().size(), 3u);
  EXPECT_EQ(M.find(0, 1), nullptr);
  EXPECT_EQ(element(M, 2, 2), m2);
}

TEST_F(mass, a_coordinate_that_moves_no_mass_has_an_empty_row) {
  const auto a = m.coordinate("a"), b = m.coordinate("b");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Base B = m.rotation("B", A, axis::x, b.q);
  m.point("unused", m.origin(), m.vector(B, 1, 2, 3));
  m.body("bob", m.point("P", m.origin(), m.vector(A, 0, 0, -l1)), A, m1);
  const sym::Matrix M = mass_matrix(m);
  EXPECT_EQ(M.rows(), 2u);
  EXPECT_EQ(M.entries().size(), 1u);
}

TEST_F(mass, of_a_body_without_mass_is_its_inertia) {
  const auto a = m.coordinate("a");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  const Expr I = m.parameter("I", 4);
  m.body("flywheel", m.origin(), A, 0, m.vector(A, 1, 2, 3), m.inertia(A, 4, I, 4));
  EXPECT_EQ(element(mass_matrix(m), 0, 0), I);
}

TEST_F(mass, a_translation_below_a_turning_base_couples_by_its_lever) {
  const auto a = m.coordinate("a"), x = m.coordinate("x");
  const Base A = m.rotation("A", m.ground_base(), axis::z, a.q);
  m.body("bead", m.point("P", m.origin(), m.vector(A, x.q, l1, 0)), A, m1);
  const sym::Matrix M = mass_matrix(m);
  const test::State state = test::random_state(m, 4);
  const double value = static_cast<double>(state[x.q]);
  EXPECT_NEAR(at(element(M, 0, 0), state), 2 * (value * value + 0.49), 1e-14);
  EXPECT_NEAR(at(element(M, 0, 1), state), -2 * 0.7, 1e-15);
  EXPECT_EQ(element(M, 1, 1), m1);
}

TEST_F(mass, one_coordinate_in_several_edges_sums_them) {
  const auto q = m.coordinate("q");
  const Base A = m.rotation("A", m.ground_base(), axis::y, -3 * q.q);
  const Expr I = m.parameter("I", 4);
  m.body("wheel", m.origin(), A, 0, m.vector(A, 0, 0, 0), m.inertia(A, 4, I, 3));
  m.body("rack", m.point("R", m.origin(), m.vector(m.ground_base(), l1 * q.q, 0, 0)),
         m.ground_base(), m1);
  EXPECT_NEAR(sym::value(element(mass_matrix(m), 0, 0)), 9 * 4 + 2 * 0.49, 1e-14);
}

// grouping: the entries of one column share their composite; n links cost about n^2, not n^3
TEST_F(mass, of_a_chain_grows_with_the_square_of_its_length) {
  const auto operations = [](int n) {
    Model chain("chain");
    Base B = chain.ground_base();
    Point P = chain.origin();
    for (int i = 0; i < n; ++i) {
      const std::string name = std::to_string(i);
      B = chain.rotation("B" + name, B, axis::y, chain.coordinate("q" + name).q);
      P = chain.point("P" + name, P, chain.vector(B, 0, 0, chain.parameter("l" + name, 1)));
      chain.body("b" + name, P, B, chain.parameter("m" + name, 1));
    }
    const sym::Matrix M = mass_matrix(chain);
    std::vector<Expr> list;
    for (const sym::Entry& e : M.entries()) list.push_back(e.value);
    return static_cast<double>(sym::count(list).total());
  };
  EXPECT_LT(operations(40) / operations(20), 4.2);
  // deep links go by way of the ground: two products and two sums for an entry
  EXPECT_LT(operations(80), 5.5 * 80 * 81 / 2);
}

// M_ij = d2T/(ddq_i ddq_j) of a chain in space, deep enough to go by way of the ground; with a
// slider in the middle, and far from the origin, where levers to the origin would lose digits
TEST_F(mass, of_a_long_chain_in_space_is_that_of_its_kinetic_energy) {
  constexpr std::array axes = {axis::y, axis::z, axis::x};
  Base B = m.ground_base();
  Point P = m.point("far", m.origin(), m.vector(B, 1e4, m.coordinate("y").q, 0));
  for (int i = 0; i < 16; ++i) {
    const std::string name = std::to_string(i);
    B = m.rotation("B" + name, B, axes[static_cast<std::size_t>(i) % 3],
                   m.coordinate("q" + name).q);
    const Expr slide = i == 7 ? m.coordinate("x").q : m.number(0.1);
    P = m.point("P" + name, P, m.vector(B, slide, 0.2, l1));
    m.body("b" + name, P, B, m1, m.vector(B, 0.1, -0.2, 0.3), m.inertia(B, 4, m2, 3));
  }
  Expr T = m.number(0);
  for (const Body& body : m.bodies()) T += kinetic_energy(body);
  const sym::Matrix M = mass_matrix(m);
  const test::State state = test::random_state(m, 3);
  for (std::uint32_t i = 0; i < m.coordinates().size(); ++i) {
    const Expr by_i = sym::derivative(T, m.coordinates()[i].dq);
    for (std::uint32_t j = 0; j <= i; ++j) {
      const double expected = at(sym::derivative(by_i, m.coordinates()[j].dq), state);
      EXPECT_NEAR(at(element(M, i, j), state), expected, 1e-9) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace klingel::mech
