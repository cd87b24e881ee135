#include "sym/trigonometric.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "sym/count.hpp"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

class Trigonometric : public testing::Test {
 protected:
  Expr simplified(Expr e) { return simplify_trigonometric({&e, 1}).front(); }

  Graph g;
  Expr a = g.coordinate("a").q, b = g.coordinate("b").q;
  Expr x = g.input("x"), y = g.input("y"), z = g.input("z");
};

TEST_F(Trigonometric, a_common_factor_of_both_squares_is_what_is_left) {
  const Expr s = sin(a), c = cos(a);
  EXPECT_EQ(simplified(x * s * s + x * (c * c)), x);
  EXPECT_EQ(simplified((x * s) * (y * s) + (x * c) * (y * c)), x * y);
}

TEST_F(Trigonometric, one_less_a_square_is_the_other_square) {
  const Expr c = cos(a);
  EXPECT_EQ(simplified(x - x * sin(a) * sin(a) + y * c), x * c * c + y * c);
}

// A vector turned into another base and back is itself.
TEST_F(Trigonometric, forth_and_back_is_nothing) {
  const Expr s = sin(a), c = cos(a), u = c * x + s * y, v = c * y - s * x;
  EXPECT_EQ(simplified(c * u - s * v), x);
  EXPECT_EQ(simplified(s * u + c * v), y);
}

TEST_F(Trigonometric, forth_and_back_through_two_bases_is_nothing) {
  const Expr sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b);
  // about z by a, then about x by b, and back
  const Expr x1 = ca * x + sa * y, y1 = ca * y - sa * x;
  const Expr y2 = cb * y1 + sb * z, z2 = cb * z - sb * y1;
  const Expr y3 = cb * y2 - sb * z2, z3 = sb * y2 + cb * z2;
  const std::vector<Expr> result =
      simplify_trigonometric(std::vector{ca * x1 - sa * y3, sa * x1 + ca * y3, z3});
  EXPECT_EQ(result, (std::vector{x, y, z}));
}

// A sum of angles pays if it takes the place of many products, and only then.
TEST_F(Trigonometric, angles_that_only_appear_as_sums_are_added) {
  const Expr sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b);
  const std::vector<Expr> list = {sa * cb + ca * sb, ca * cb - sa * sb};
  const std::vector<Expr> result = simplify_trigonometric(list);
  EXPECT_EQ(result[0], sin(a + b));
  EXPECT_EQ(result[1], cos(a + b));
}

TEST_F(Trigonometric, differences_of_angles_have_their_sign) {
  const Expr sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b);
  EXPECT_EQ(simplified(sa * cb - ca * sb), sin(a - b));
  EXPECT_EQ(simplified(ca * sb - sa * cb), -sin(a - b));
  EXPECT_EQ(simplified(ca * cb + sa * sb), cos(a - b));
  EXPECT_EQ(simplified(sa * sb - ca * cb), -cos(a + b));
}

TEST_F(Trigonometric, a_sum_of_angles_that_does_not_pay_is_left_alone) {
  const Expr sa = sin(a), ca = cos(a), sb = sin(b), cb = cos(b);
  // all four are needed anyway: two new functions would cost more than two products
  const std::vector<Expr> list = {sa * cb + ca * sb, sa, ca, sb, cb};
  EXPECT_EQ(simplify_trigonometric(list), list);
}

TEST_F(Trigonometric, atoms_used_elsewhere_are_not_counted_as_freed) {
  const Expr s = sin(a), c = cos(a), u = c * x + s * y, v = c * y - s * x;
  const std::vector<Expr> list = {c * u - s * v, u, v, s * x * y + c * z};
  const std::vector<Expr> result = simplify_trigonometric(list);
  EXPECT_EQ(result[0], x);
  EXPECT_EQ(result[1], u);
  EXPECT_LT(count(result).total(), count(list).total());
}

TEST_F(Trigonometric, without_sines_nothing_changes) {
  const std::vector<Expr> list = {x * y + x * z, sqrt(x * x + y * y), x - x * y * y};
  EXPECT_EQ(simplify_trigonometric(list), list);
  EXPECT_TRUE(simplify_trigonometric({}).empty());
}

}  // namespace
}  // namespace klingel::sym
