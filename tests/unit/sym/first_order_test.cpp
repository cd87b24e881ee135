#include "sym/first_order.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "sym/count.hpp"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

class FirstOrder : public testing::Test {
 protected:
  Expr linear(Expr e) { return first_order({&e, 1}, small).front(); }

  Graph g;
  Expr a = g.coordinate("a").q, b = g.coordinate("b").q;
  Expr x = g.coordinate("x").q, y = g.input("y");
  std::vector<Expr> small = {a, b};
};

TEST_F(FirstOrder, small_angles_have_no_sines) {
  EXPECT_EQ(linear(sin(a)), a);
  EXPECT_EQ(linear(cos(a) * x), x);
  EXPECT_EQ(linear(sin(a + b)), a + b);
  EXPECT_EQ(linear(sin(x) * cos(x)), sin(x) * cos(x));
}

TEST_F(FirstOrder, products_of_small_quantities_vanish) {
  EXPECT_TRUE(linear(sin(a) * sin(b) * x).is(0));
  EXPECT_EQ(linear(x + a * b), x);
  EXPECT_EQ(linear(a * x + (a * y) * b), a * x);
}

TEST_F(FirstOrder, what_is_added_to_large_quantities_is_dropped_before_a_small_factor) {
  EXPECT_EQ(linear((x + a) * b), x * b);
  // but not where the sum is needed anyway
  const std::vector<Expr> list = {(x + a) * b, x + a};
  EXPECT_EQ(first_order(list, small), list);
}

// the root of what vanishes is of first order itself: nothing below it may be dropped
TEST_F(FirstOrder, roots_and_reciprocals_of_small_quantities_are_kept) {
  const Expr root = sqrt(a * a + b * b);
  EXPECT_EQ(linear(root), root);
  EXPECT_EQ(linear(x / (a * b)), x / (a * b));
  EXPECT_EQ(linear(abs(a * b)), abs(a * b));
}

TEST_F(FirstOrder, nothing_small_changes_nothing) {
  const std::vector<Expr> list = {sin(a) * sin(a), cos(b)};
  EXPECT_EQ(first_order(list, {}), list);
  EXPECT_TRUE(first_order({}, small).empty());
}

TEST_F(FirstOrder, only_symbols_can_be_small) {
  const std::vector<Expr> list = {sin(a)}, sums = {a + b};
  EXPECT_THROW(first_order(list, sums), base::Error);
}

}  // namespace
}  // namespace klingel::sym
