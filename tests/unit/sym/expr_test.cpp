// The expression handle: natural operators, and errors where a handle cannot be used.
#include "sym/expr.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "sym/construct.hpp"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

TEST(expr, operators_build_what_construct_builds) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  EXPECT_EQ((x + y).id(), add(g, x.id(), y.id()));
  EXPECT_EQ((x - y).id(), sub(g, x.id(), y.id()));
  EXPECT_EQ((x * y).id(), mul(g, x.id(), y.id()));
  EXPECT_EQ((x / y).id(), div(g, x.id(), y.id()));
  EXPECT_EQ((-x).id(), neg(g, x.id()));
  EXPECT_EQ(+x, x);
  EXPECT_EQ((x + y).op(), Op::add);
}

TEST(expr, functions_build_their_operation) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  EXPECT_EQ(sqrt(x).op(), Op::sqrt);
  EXPECT_EQ(sin(x).op(), Op::sin);
  EXPECT_EQ(cos(x).op(), Op::cos);
  EXPECT_EQ(tan(x).op(), Op::tan);
  EXPECT_EQ(asin(x).op(), Op::asin);
  EXPECT_EQ(acos(x).op(), Op::acos);
  EXPECT_EQ(exp(x).op(), Op::exp);
  EXPECT_EQ(log(x).op(), Op::log);
  EXPECT_EQ(abs(x).op(), Op::abs);
  EXPECT_EQ(sign(x).op(), Op::sign);
  EXPECT_EQ(atan2(x, y).op(), Op::atan2);
  EXPECT_EQ(min(x, y).op(), Op::min);
  EXPECT_EQ(max(x, y).op(), Op::max);
  EXPECT_EQ(pow(x, y).op(), Op::pow);
}

TEST(expr, assignment_operators_are_the_operators) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Expr e = x;
  e += y;
  EXPECT_EQ(e, x + y);
  e *= y;
  EXPECT_EQ(e, (x + y) * y);
  e /= x;
  EXPECT_EQ(e, (x + y) * y / x);
  e -= y;
  EXPECT_EQ(e, (x + y) * y / x - y);
}

TEST(expr, integers_and_doubles_mix_in_and_stay_exact) {
  Graph g;
  const Expr x = g.symbol("x");
  EXPECT_EQ(x / 3, x * g.rational(1, 3));
  EXPECT_EQ(2.0f * x, 2 * x);
  EXPECT_EQ(x * 2u, 2 * x);
  EXPECT_EQ('\2' * x, 2 * x);
  EXPECT_EQ(1 - x, g.number(1) - x);
  EXPECT_EQ(1 / x, g.number(1) / x);
  EXPECT_EQ(x * std::numeric_limits<std::uint64_t>::max(), x * 0x1p64);
  EXPECT_EQ(x * std::numeric_limits<std::int64_t>::min(), x * -0x1p63);
}

TEST(expr, a_handle_tells_what_it_is) {
  Graph g;
  const Expr x = g.symbol("x"), two = g.number(2);
  EXPECT_TRUE(x.is_symbol());
  EXPECT_FALSE(x.is_number());
  EXPECT_TRUE(two.is_number());
  EXPECT_TRUE(two.is(2));
  EXPECT_FALSE(two.is(3));
  EXPECT_FALSE(x.is(0));
  EXPECT_TRUE(Expr().empty());
  EXPECT_FALSE(x.empty());
  EXPECT_EQ(&x.graph(), &g);
}

TEST(expr, expressions_of_two_graphs_do_not_mix) {
  Graph g, other;
  const Expr x = g.symbol("x"), y = other.symbol("x");
  const std::string text =
      "expressions of two different graphs were used together; build both in one graph";
  EXPECT_EQ(error_of([&] { x + y; }), text);
  EXPECT_EQ(error_of([&] { x - y; }), text);
  EXPECT_EQ(error_of([&] { x* y; }), text);
  EXPECT_EQ(error_of([&] { x / y; }), text);
  EXPECT_EQ(error_of([&] { atan2(x, y); }), text);
  EXPECT_EQ(error_of([&] { pow(x, y); }), text);
  EXPECT_NE(x, y);  // comparing is legal
}

TEST(expr, an_empty_handle_cannot_be_used) {
  Graph g;
  const Expr x = g.symbol("x"), empty;
  const std::string text = "an empty expression was used; give it a value first";
  EXPECT_EQ(error_of([&] { x + empty; }), text);
  EXPECT_EQ(error_of([&] { empty + x; }), text);
  EXPECT_EQ(error_of([&] { sin(empty); }), text);
  EXPECT_EQ(error_of([&] { -empty; }), text);
  EXPECT_EQ(error_of([&] { 2 * empty; }), text);
  EXPECT_EQ(error_of([&] { empty.op(); }), text);
}

TEST(expr, a_cubic_is_evaluated_by_horner_from_its_break_point) {
  Graph g;
  const Cubic piece{g.symbol("a", SymbolKind::spline, 2), g.symbol("b", SymbolKind::spline, -3),
                    g.symbol("c", SymbolKind::spline, 5), g.symbol("d", SymbolKind::spline, 7),
                    g.symbol("u_bp", SymbolKind::spline, 0.5)};
  const Expr u = g.symbol("u", SymbolKind::contact_coordinate, 1.25);
  const Expr y = cubic(piece, u);
  EXPECT_EQ(text(y), "d + (u - u_bp)*(c + (u - u_bp)*(b + a*(u - u_bp)))");
  const double x = 0.75;
  EXPECT_EQ(value(y), ((2 * x - 3) * x + 5) * x + 7);
}

}  // namespace
}  // namespace klingel::sym
