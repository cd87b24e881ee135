// Closures: how many equations each joint adds, that they vanish when it is closed, and what it
// says when it is redundant.
#include "mech/closures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

using test::error_of;
using testing::ElementsAre;

class closures : public testing::Test {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const Constraint& x : m.constraints()) list.push_back(x.name);
    return list;
  }
  std::vector<double> values(const test::State& state) {
    std::vector<Expr> phi;
    for (const Constraint& x : m.constraints()) phi.push_back(x.phi);
    return test::values_at(m, phi, state);
  }

  Model m{"m"};
  sym::Coordinate a = m.coordinate("a"), b = m.coordinate("b"), c = m.coordinate("c");
  Base O = m.ground_base();
  Base A = m.rotation("A", O, axis::y, a.q);
  Base B = m.rotation("B", A, axis::y, b.q);
  Base C = m.rotation("C", B, axis::x, c.q);
  Point P = m.point("P", m.origin(), m.vector(A, 0, 0, 1));
  Point Q = m.point("Q", P, m.vector(B, 1, 0, 0));    // stays in the plane
  Point S = m.point("S", P, m.vector(C, 0, 0.5, 0));  // does not
  Point G = m.point("G", m.origin(), m.vector(O, 1, 0, 1));
};

TEST_F(closures, coincide_is_three_equations) {
  coincide(m, "ball", G, S, O);
  EXPECT_THAT(names(), ElementsAre("ball.x", "ball.y", "ball.z"));
}

TEST_F(closures, in_a_plane_two_are_left) {
  coincide_in_plane(m, "pin", G, Q, O, axis::y);
  EXPECT_THAT(names(), ElementsAre("pin.x", "pin.z"));
  for (const double x : values(test::State(m))) EXPECT_NEAR(x, 0, 1e-16);  // closed at a = b = 0
}

TEST_F(closures, a_plane_loop_closed_in_space_is_an_error_that_helps) {
  EXPECT_EQ(error_of([&] { coincide(m, "pin", G, Q, O); }),
            "closing 'pin' is over-constrained: 'G' and 'Q' always agree in y; use "
            "coincide_in_plane");
  EXPECT_TRUE(m.constraints().empty());
}

TEST_F(closures, parallel_is_two_equations_across_the_axis) {
  parallel(m, "axes", m.axis_vector(O, axis::z), C, axis::z);
  EXPECT_THAT(names(), ElementsAre("axes.x", "axes.y"));
  for (const double x : values(test::State(m))) EXPECT_EQ(x, 0);
  EXPECT_NE(values(test::State(m).set(c.q, 0.3))[1], 0);
}

TEST_F(closures, parallel_axes_that_always_are_parallel_are_an_error) {
  EXPECT_EQ(error_of([&] { parallel(m, "axes", m.axis_vector(O, axis::y), B, axis::y); }),
            "the constraint 'axes.z' of 'm' is the constant 0");
}

TEST_F(closures, distance_in_metres) {
  distance(m, "rod", m.origin(), Q, 2);
  EXPECT_THAT(names(), ElementsAre("rod"));
  // r^2 = 2 at b = 0: (2 - 4) / 4
  EXPECT_NEAR(values(test::State(m))[0], -0.5, 1e-15);
  // near a closed rod it is the error in length: r^2 = 2 - 2 sin b, closed at a stretched b
  const double b_near = 0.1 - std::asin(1.0), r = std::sqrt(2 - 2 * std::sin(b_near));
  EXPECT_NEAR(values(test::State(m).set(b.q, b_near))[0], r - 2, 1e-5);
}

TEST_F(closures, revolute_is_coincidence_and_parallel_axes) {
  revolute_closure(m, "hinge", G, S, m.axis_vector(O, axis::y), C, axis::x);
  EXPECT_THAT(names(),
              ElementsAre("hinge.x", "hinge.y", "hinge.z", "hinge.axis.y", "hinge.axis.z"));
}

TEST_F(closures, unit_norm_of_euler_parameters) {
  unit_norm(m, "norm", {a.q, b.q, c.q, m.number(0)});
  EXPECT_NEAR(values(test::State(m).set(a.q, 0.6).set(b.q, 0.8))[0], 0, 1e-16);
  EXPECT_NEAR(values(test::State(m).set(a.q, 2))[0], 1.5, 1e-15);
}

TEST_F(closures, axes_are_checked) {
  EXPECT_EQ(error_of([&] { coincide_in_plane(m, "pin", G, Q, O, 3); }),
            "the axis of closing 'pin' must be 0, 1 or 2 (x, y, z), found 3");
  EXPECT_EQ(error_of([&] { parallel(m, "axes", m.axis_vector(O, axis::y), B, -1); }),
            "the axis of closing 'axes' must be 0, 1 or 2 (x, y, z), found -1");
}

}  // namespace
}  // namespace klingel::mech
