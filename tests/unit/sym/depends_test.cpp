// What an expression depends on: symbols by name and by role.
#include "sym/depends.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(depends, symbols_come_in_the_order_of_declaration) {
  Graph g;
  const Expr a = g.symbol("a"), b = g.symbol("b"), c = g.symbol("c"), d = g.symbol("d");
  EXPECT_THAT(symbols_below(sin(d) + c * a), ElementsAre(a, c, d));
  const std::vector<Expr> list{d, b * 2};
  EXPECT_THAT(symbols_below(list), ElementsAre(b, d));
  EXPECT_THAT(symbols_below(g.number(3)), IsEmpty());
  EXPECT_THAT(symbols_below(std::vector<Expr>{}), IsEmpty());
}

TEST(depends, an_expression_depends_on_what_appears_below_it) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const Expr e = sin(x * x) + 1;
  EXPECT_TRUE(depends_on(e, x));
  EXPECT_TRUE(depends_on(x, x));
  EXPECT_FALSE(depends_on(e, y));
  EXPECT_FALSE(depends_on(e + y - e, x));  // what cancels is gone
  EXPECT_TRUE(depends_on(e, x * x));       // inner atoms count as well
  EXPECT_FALSE(depends_on(e, sin(x)));
  EXPECT_TRUE(depends_on(e, g.number(1)));  // and so do constants
  EXPECT_TRUE(depends_on(x * sqrt(g.number(2)), sqrt(g.number(2))));
}

TEST(depends, symbols_that_share_a_hash_bit_are_told_apart) {
  Graph g;
  std::vector<Expr> x;
  for (int i = 0; i < 40; ++i) x.push_back(g.symbol("x" + std::to_string(i)));
  const Expr e = 2 * x[1];
  EXPECT_EQ(g.node(x[1].id()).symbols, g.node(x[33].id()).symbols);
  EXPECT_TRUE(depends_on(e, x[1]));
  EXPECT_FALSE(depends_on(e, x[33]));
}

TEST(depends, roles_below_are_known) {
  Graph g;
  const Coordinate q = g.coordinate("q");
  const Expr e = g.parameter("m") * q.dq;
  EXPECT_TRUE(depends_on(e, SymbolKind::velocity));
  EXPECT_TRUE(depends_on(e, SymbolKind::parameter));
  EXPECT_FALSE(depends_on(e, SymbolKind::coordinate));
  EXPECT_FALSE(depends_on(g.number(1), SymbolKind::parameter));
}

TEST(depends, expressions_of_two_graphs_do_not_mix) {
  Graph g, other;
  const Expr x = g.symbol("x"), y = other.symbol("y");
  const std::string text =
      "expressions of two different graphs were used together; build both in one graph";
  EXPECT_EQ(error_of([&] { depends_on(x, y); }), text);
  EXPECT_EQ(error_of([&] { symbols_below(std::vector<Expr>{x, y}); }), text);
}

}  // namespace
}  // namespace klingel::sym
