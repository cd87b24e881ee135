// The two slow roads, on a mechanism whose equations are known. That all roads meet is shown in
// tests/physics/equal_formalisms_test.cpp.
#include "mech/reference.hpp"

#include <gtest/gtest.h>

#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

TEST(reference, both_roads_give_the_pendulum) {
  Model m("pendulum");
  const auto a = m.coordinate("a");
  const Base A = m.rotation("A", m.ground_base(), axis::y, a.q);
  m.body("bob", m.point("P", m.origin(), m.vector(A, 0, 0, -2)), A, 3);
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -10));
  const test::State state = test::random_state(m, 1);
  for (const ReferenceEquations& e : {lagrange(m), per_body_virtual_power(m)}) {
    EXPECT_NEAR(test::value_at(m, e.M_qq.find(0, 0)->value, state), 12, 1e-14);
    EXPECT_NEAR(test::value_at(m, e.delta_q[0], state),
                -60 * std::sin(static_cast<double>(state[a.q])), 1e-13);
  }
}

TEST(reference, forces_from_outside_are_in_both) {
  Model m("push");
  const auto x = m.coordinate("x");
  const Point P = m.point("P", m.origin(), m.vector(m.ground_base(), x.q, 0, 0));
  m.body("cart", P, m.ground_base(), 2);
  m.add_force("push", m.vector(m.ground_base(), 5, 6, 7), P);
  for (const ReferenceEquations& e : {lagrange(m), per_body_virtual_power(m)})
    EXPECT_EQ(sym::value(e.delta_q[0]), 5);
}

}  // namespace
}  // namespace klingel::mech
