// Partial derivatives of single operations, each as the atom one would write by hand.
#include "sym/partials.hpp"

#include <gtest/gtest.h>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

class partials : public testing::Test {
 protected:
  Expr by_first(Expr e) { return {&g, partial(g, e.id(), 0)}; }
  Expr by_second(Expr e) { return {&g, partial(g, e.id(), 1)}; }
  Expr c(std::int64_t num, std::int64_t den = 1) { return g.rational(num, den); }

  Graph g;
  Expr x = g.symbol("x");
  Expr y = g.symbol("y");
};

TEST_F(partials, of_sums_are_signs) {
  EXPECT_EQ(by_first(x + y), c(1));
  EXPECT_EQ(by_second(x + y), c(1));
  EXPECT_EQ(by_first(x - y), c(1));
  EXPECT_EQ(by_second(x - y), c(-1));
  EXPECT_EQ(by_first(-x), c(-1));
}

TEST_F(partials, of_a_product_are_the_other_factor) {
  EXPECT_EQ(by_first(x * y), y);
  EXPECT_EQ(by_second(x * y), x);
}

TEST_F(partials, of_a_quotient_use_the_quotient) {
  EXPECT_EQ(by_first(x / y), 1 / y);
  EXPECT_EQ(by_second(x / y), -((x / y) / y));
}

TEST_F(partials, of_a_root_uses_the_root) { EXPECT_EQ(by_first(sqrt(x)), 1 / (2 * sqrt(x))); }

TEST_F(partials, of_trigonometric_functions) {
  EXPECT_EQ(by_first(sin(x)), cos(x));
  EXPECT_EQ(by_first(cos(x)), -sin(x));
  EXPECT_EQ(by_first(tan(x)), 1 + tan(x) * tan(x));
  EXPECT_EQ(by_first(asin(x)), 1 / sqrt(1 - x * x));
  EXPECT_EQ(by_first(acos(x)), -(1 / sqrt(1 - x * x)));
}

TEST_F(partials, of_exponential_and_logarithm) {
  EXPECT_EQ(by_first(exp(x)), exp(x));
  EXPECT_EQ(by_first(log(x)), 1 / x);
}

TEST_F(partials, of_absolute_value_and_sign) {
  EXPECT_EQ(by_first(abs(x)), sign(x));
  EXPECT_EQ(by_first(sign(x)), c(0));
}

TEST_F(partials, of_a_power) {
  EXPECT_EQ(by_first(pow(x, y)), y * pow(x, y - 1));
  EXPECT_EQ(by_second(pow(x, y)), pow(x, y) * log(x));
  EXPECT_EQ(by_first(pow(x, 17)), 17 * pow(x, 16));
}

TEST_F(partials, of_atan2) {
  EXPECT_EQ(by_first(atan2(y, x)), x / (x * x + y * y));
  EXPECT_EQ(by_second(atan2(y, x)), -y / (x * x + y * y));
}

TEST_F(partials, of_min_and_max_are_halves_where_both_are_equal) {
  const Expr s = sign(x - y);
  EXPECT_EQ(by_first(min(x, y)), c(1, 2) * (1 - s));
  EXPECT_EQ(by_second(min(x, y)), c(1, 2) * (1 + s));
  EXPECT_EQ(by_first(max(x, y)), c(1, 2) * (1 + s));
  EXPECT_EQ(by_second(max(x, y)), c(1, 2) * (1 - s));
}

using partials_death = partials;

TEST_F(partials_death, a_leaf_has_none) {
  EXPECT_DEATH(partial(g, x.id(), 0), "a leaf has no partial derivatives");
}

}  // namespace
}  // namespace klingel::sym
