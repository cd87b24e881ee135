// Vectors and tensors: algebra between bases finds a common one, cheaply; models do not mix.
#include "mech/vector.hpp"

#include <gtest/gtest.h>

#include "mech/kinematics.hpp"
#include "mech/model.hpp"
#include "sym/count.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::mech {
namespace {

using test::error_of;

class vector : public testing::Test {
 protected:
  double at(Expr e) { return test::value_at(m, e, test::random_state(m, 7)); }
  void expect_equal(const Vector& u, const Vector& v) {
    const Triple one = in_base(u, m.ground_base()).c, two = in_base(v, m.ground_base()).c;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(at(one[i]), at(two[i]), 1e-14);
  }

  Model m{"m"};
  sym::Coordinate a = m.coordinate("a"), b = m.coordinate("b"), c = m.coordinate("c");
  Expr x = m.parameter("x", 1), y = m.parameter("y", 2), z = m.parameter("z", 3);
  Base A = m.rotation("A", m.ground_base(), axis::x, a.q);
  Base B = m.rotation("B", A, axis::y, b.q);
  Base C = m.rotation("C", A, axis::z, c.q);
};

TEST_F(vector, components_turn_with_the_base_change) {
  const Vector u = m.vector(B, x, y, z);
  const Triple by_matrix = product(base_change(m.ground_base(), B), u.c);
  const Triple by_steps = in_base(u, m.ground_base()).c;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(at(by_matrix[i]), at(by_steps[i]), 1e-15);
}

TEST_F(vector, going_to_another_base_and_back_changes_nothing) {
  const Vector u = m.vector(B, x, y, z);
  EXPECT_EQ(in_base(u, B).c, u.c);
  expect_equal(in_base(in_base(u, C), B), u);
}

TEST_F(vector, the_zero_vector_is_zero_in_every_base_for_nothing) {
  const std::size_t before = m.graph().size();
  EXPECT_TRUE(is_zero(in_base(m.zero_vector(), B).c));
  EXPECT_EQ(in_base(m.zero_vector(), B).base, B);
  EXPECT_EQ(m.graph().size(), before);
}

TEST_F(vector, a_short_path_is_walked_and_a_long_one_uses_the_matrix) {
  // one coordinate rotation: four products, two sums
  const Vector near = in_base(m.vector(A, x, y, z), m.ground_base());
  EXPECT_LE(sym::count(near.c).total(), 6u + 3u);
  // four rotations would cost 24 operations; the matrix is shared by all vectors and costs 15
  Base D = C;
  for (const int k : {axis::x, axis::y, axis::x})
    D = m.rotation("D" + std::to_string(m.bases().size()), D, k, a.q * b.q + k);
  const Vector u = in_base(m.vector(D, x, y, z), m.ground_base());
  const Vector v = in_base(m.vector(D, y, z, x), m.ground_base());
  std::vector<Expr> both(u.c.begin(), u.c.end());
  both.insert(both.end(), v.c.begin(), v.c.end());
  EXPECT_EQ(sym::count(both).total(), sym::count(u.c).total() + 15);
}

TEST_F(vector, the_operand_with_fewer_components_is_changed) {
  const Vector full = m.vector(B, x, y, z), short_one = m.axis_vector(m.ground_base(), axis::x);
  EXPECT_EQ((full + short_one).base, B);
  EXPECT_EQ((short_one - full).base, B);
  EXPECT_EQ(cross(short_one, full).base, B);
  // e_x of the ground is e_x of A: nothing is computed to go there
  const Vector sum = m.vector(A, x, y, z) + short_one;
  EXPECT_EQ(sum.c[0], x + 1);
  EXPECT_EQ(sum.c[1], y);
}

TEST_F(vector, algebra_does_not_depend_on_the_bases_of_its_operands) {
  const Vector u = m.vector(B, x, y, z), v = m.vector(C, z, x, y);
  const Base O = m.ground_base();
  expect_equal(u + v, in_base(u, O) + in_base(v, O));
  expect_equal(u - v, in_base(u, O) - in_base(v, O));
  expect_equal(cross(u, v), cross(in_base(u, O), in_base(v, O)));
  EXPECT_NEAR(at(dot(u, v)), at(dot(in_base(u, O), in_base(v, O))), 1e-14);
  expect_equal(u - u, m.zero_vector());
  expect_equal(-(-u), u);
  expect_equal(2 * u, u + u);
  expect_equal(y * u / y, u);
}

TEST_F(vector, norm_and_unit) {
  const Vector u = m.vector(B, x, y, z);
  EXPECT_NEAR(at(norm(u)), std::sqrt(14.0), 1e-14);
  EXPECT_NEAR(at(norm(unit(u))), 1, 1e-15);
  EXPECT_TRUE(norm(m.axis_vector(B, axis::z)).is(1));
}

TEST_F(vector, skew_of_u_times_v_is_u_x_v) {
  const Vector u = m.vector(B, x, y, z), v = m.vector(C, z, x, y);
  expect_equal(skew(u) * v, cross(u, v));
}

TEST_F(vector, tensors_turn_add_and_scale) {
  const Tensor s = m.inertia(B, x, y, z, x, y, z), t = m.inertia(C, y, y, x, z, z, x);
  const Vector u = m.vector(A, x, y, z);
  expect_equal(in_base(s, C) * u, s * u);
  expect_equal((s + t) * u, s * u + t * u);
  expect_equal((s - t) * u, s * u - t * u);
  expect_equal((y * s) * u, y * (s * u));
}

TEST_F(vector, a_wrench_moved_and_moved_back_is_the_same) {
  const Point P = m.point("P", m.origin(), m.vector(B, x, 0, z));
  const Wrench w{m.vector(A, x, y, z), m.vector(C, 1, 2, 3), P};
  const Wrench back = moved(moved(w, m.origin()), P);
  expect_equal(back.moment, w.moment);
  expect_equal(back.force, w.force);
  // about the origin: the force's lever is r_OP
  expect_equal(moved(w, m.origin()).moment, w.moment + cross(position(m.origin(), P), w.force));
}

TEST_F(vector, names) {
  EXPECT_EQ(name(B), "B");
  EXPECT_EQ(name(m.origin()), "O");
  EXPECT_EQ(name(m.ground_base()), "ground");
}

TEST_F(vector, two_models_do_not_mix) {
  Model other("other");
  const Vector u = m.vector(A, 1, 2, 3), v = other.vector(other.ground_base(), 1, 2, 3);
  const std::string text = "vectors of two models, 'm' and 'other', were used together";
  EXPECT_EQ(error_of([&] { u + v; }), text);
  EXPECT_EQ(error_of([&] { dot(u, v); }), text);
  EXPECT_EQ(error_of([&] { cross(u, v); }), text);
  EXPECT_EQ(error_of([&] { in_base(u, other.ground_base()); }), text);
  EXPECT_EQ(error_of([&] { skew(v) * u; }), text);
  EXPECT_EQ(error_of([&] { position(m.origin(), other.origin()); }),
            "bases or points of two models, 'm' and 'other', were used together");
  EXPECT_EQ(error_of([&] {
              velocity({m.origin(), other.ground_base()}, m.origin());
            }),
            "bases or points of two models, 'm' and 'other', were used together");
}

TEST_F(vector, empty_handles_are_errors_not_crashes) {
  const Vector u = m.vector(A, 1, 2, 3);
  EXPECT_EQ(error_of([&] { u + Vector{}; }), "an empty vector or base was used");
  EXPECT_EQ(error_of([&] { in_base(u, Base{}); }), "an empty vector or base was used");
  EXPECT_NE(error_of([&] { 2 * Vector{}; }), "no error");
  EXPECT_NE(error_of([&] { -Vector{}; }), "no error");
  EXPECT_NE(error_of([&] { skew(Vector{}); }), "no error");
  EXPECT_EQ(error_of([&] { name(Base{}); }), "an empty base was used");
  EXPECT_EQ(error_of([&] { name(Point{}); }), "an empty point was used");
  EXPECT_EQ(error_of([&] { position(m.origin(), Point{}); }), "an empty base or point was used");
}

}  // namespace
}  // namespace klingel::mech
