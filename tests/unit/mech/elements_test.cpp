// Force elements in one dimension, by hand, and what they refuse. Their balance and energy in space
// are in tests/physics/equal_energy_test.cpp.
#include "mech/elements.hpp"

#include <gtest/gtest.h>

#include "mech/equations.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

using test::error_of;

class elements : public testing::Test {
 protected:
  // the generalized force on a coordinate at x = 0.5, dx = 2, a = 0.3, da = 3
  double force(std::size_t i) {
    test::State state(m);
    state.set(x.q, 0.5).set(x.dq, 2).set(a.q, 0.3).set(a.dq, 3);
    return test::value_at(m, generalized_forces(m)[i], state);
  }
  double potential() {
    Expr sum = m.number(0);
    for (const Expr& v : m.potentials()) sum += v;
    return test::value_at(m, sum, test::State(m).set(x.q, 0.5).set(a.q, 0.3));
  }

  Model m{"m"};
  sym::Coordinate x = m.coordinate("x"), a = m.coordinate("a");
  Base O = m.ground_base();
  Base A = m.rotation("A", O, axis::z, a.q);
  Point P = m.point("P", m.origin(), m.vector(O, x.q, 0, 0));
};

TEST_F(elements, isotropic_spring) {
  isotropic_spring(m, "s", m.origin(), P, 100, 10, O, m.vector(O, 7, 0, 0));
  EXPECT_NEAR(force(0), -100 * 0.5 - 10 * 2 + 7, 1e-13);
  EXPECT_NEAR(potential(), 50 * 0.25 - 7 * 0.5, 1e-14);
  EXPECT_EQ(m.actions().size(), 2u);
  EXPECT_EQ(m.actions()[0].name, "s.from");
}

TEST_F(elements, line_spring) {
  line_spring(m, "s", m.origin(), P, 100, 10, 0.2, 7);
  EXPECT_NEAR(force(0), -100 * 0.3 - 10 * 2 - 7, 1e-13);
  EXPECT_NEAR(potential(), 50 * 0.09 + 7 * 0.3, 1e-14);
  EXPECT_EQ(error_of([&] { line_spring(m, "t", P, P, 1, 0, 1); }),
            "the spring 't' joins the point 'P' with itself");
}

TEST_F(elements, bushing) {
  bushing(m, "b", {m.origin(), O}, {P, A}, O, {{100, 0, 0}, {10, 0, 0}, {0, 0, 40}, {0, 0, 4}});
  EXPECT_NEAR(force(0), -100 * 0.5 - 10 * 2, 1e-13);
  EXPECT_NEAR(force(1), -40 * std::sin(0.3) - 4 * 3, 1e-13);
  EXPECT_NEAR(potential(), 50 * 0.25 + 40 * (1 - std::cos(0.3)), 1e-13);
}

TEST_F(elements, a_bushing_without_stiffness_does_nothing) {
  bushing(m, "b", {m.origin(), O}, {P, A}, O, {});
  EXPECT_TRUE(m.actions().empty());
}

TEST_F(elements, torsion_spring) {
  torsion_spring(m, "t", O, A, m.axis_vector(O, axis::z), a.q, 40, 4, 0.1, 7);
  EXPECT_NEAR(force(1), -40 * 0.2 - 4 * 3 - 7, 1e-13);
  EXPECT_NEAR(potential(), 20 * 0.04 + 7 * 0.2, 1e-14);
}

// wheel 1 of radius 0.2 turns with a, wheel 2 of radius 0.3 with b; u = 0.2 a + 0.3 b
TEST_F(elements, gear_pair) {
  const auto b = m.coordinate("b");
  const Base B = m.rotation("B", O, axis::z, b.q);
  const Point mesh = m.point("mesh", m.origin(), m.vector(O, 0.2, 0, 0));
  const Point C = m.point("C", mesh, m.vector(O, 0.3, 0, 0));
  gear_pair(m, "g", {{m.origin(), A}, a.q, 0.2}, {{C, B}, b.q, 0.3}, mesh,
            m.axis_vector(O, axis::y), 1000, 100);
  const double u = 0.2 * 0.3, du = 0.2 * 3, tooth = 1000 * u + 100 * du;
  EXPECT_NEAR(force(1), -0.2 * tooth, 1e-12);
  EXPECT_NEAR(force(2), -0.3 * tooth, 1e-12);
  EXPECT_NEAR(potential(), 500 * u * u, 1e-13);
}

TEST_F(elements, applied_force_and_torque_with_and_without_reaction) {
  applied_force(m, "f", m.vector(O, 5, 0, 0), P);
  applied_torque(m, "t", m.vector(O, 0, 0, 6), A);
  EXPECT_EQ(force(0), 5);
  EXPECT_EQ(force(1), 6);
  EXPECT_EQ(m.actions().size(), 2u);
  applied_force(m, "g", m.vector(O, 5, 0, 0), m.origin(), P);
  applied_torque(m, "u", m.vector(O, 0, 0, 6), O, A);
  EXPECT_EQ(force(0), 0);
  EXPECT_EQ(force(1), 0);
  EXPECT_EQ(m.actions().back().name, "u.reaction");
}

TEST_F(elements, other_models_are_refused) {
  Model other("other");
  EXPECT_NE(error_of([&] { isotropic_spring(m, "s", m.origin(), other.origin(), 1, 0, O); }),
            "no error");
  EXPECT_NE(error_of([&] { line_spring(m, "s", m.origin(), P, other.parameter("k", 1), 0, 1); }),
            "no error");
}

}  // namespace
}  // namespace klingel::mech
