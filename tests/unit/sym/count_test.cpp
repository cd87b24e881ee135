// Counting operations: shared atoms once, constants not at all.
#include "sym/count.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

Count count_one(Expr e) { return count(std::span(&e, 1)); }

TEST(count, every_operation_has_its_kind) {
  EXPECT_EQ(count_of(Op::add).add, 1u);
  EXPECT_EQ(count_of(Op::sub).add, 1u);
  EXPECT_EQ(count_of(Op::mul).mul, 1u);
  EXPECT_EQ(count_of(Op::div).div, 1u);
  EXPECT_EQ(count_of(Op::neg).neg, 1u);
  EXPECT_EQ(count_of(Op::sqrt).sqrt, 1u);
  for (const Op op : {Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan2}) {
    EXPECT_EQ(count_of(op).trig, 1u) << name(op);
  }
  for (const Op op : {Op::exp, Op::log, Op::abs, Op::sign, Op::pow, Op::min, Op::max}) {
    EXPECT_EQ(count_of(op).other, 1u) << name(op);
  }
  for (const Op op : {Op::integer, Op::rational, Op::real, Op::symbol}) {
    EXPECT_EQ(count_of(op), Count{}) << name(op);
  }
}

TEST(count, the_total_is_the_number_of_atoms) {
  for (int i = 0; i < op_count; ++i) {
    const Count c = count_of(static_cast<Op>(i));
    EXPECT_EQ(c.total(), c.atoms);
  }
}

TEST(count, a_shared_atom_counts_once) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const Expr s = sin(x * y);
  const Count c = count_one(s * s + s / y);
  EXPECT_EQ(c.mul, 2u);
  EXPECT_EQ(c.trig, 1u);
  EXPECT_EQ(c.div, 1u);
  EXPECT_EQ(c.add, 1u);
  EXPECT_EQ(c.atoms, 5u);
}

TEST(count, expressions_share_atoms_with_each_other) {
  Graph g;
  const Expr x = g.symbol("x");
  const std::vector<Expr> list{sin(x), 2 * sin(x), x};
  EXPECT_EQ(count(list).total(), 2u);
}

TEST(count, constants_cost_nothing) {
  Graph g;
  const Expr x = g.symbol("x");
  const Expr root = sqrt(g.number(2));
  EXPECT_EQ(count_one(root * x).total(), 1u);
  EXPECT_EQ(count_one(root).total(), 0u);
}

TEST(count, a_list_of_nodes_counts_exactly_these) {
  Graph g;
  const Expr x = g.symbol("x");
  const Expr s = sin(x), e = s + 1;
  const std::vector<Id> ids{e.id()};
  EXPECT_EQ(count(g, ids).total(), 1u);
}

TEST(count, counts_add_up) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Count sum = count_one(sin(x) * y);
  sum += count_one(-sqrt(x));
  EXPECT_EQ(sum.atoms, 4u);
  EXPECT_EQ(sum.neg, 1u);
  EXPECT_EQ(sum.sqrt, 1u);
  EXPECT_EQ(sum.trig, 1u);
  EXPECT_EQ(sum.mul, 1u);
}

TEST(count, nothing_has_no_operations) { EXPECT_EQ(count(std::vector<Expr>{}), Count{}); }

TEST(count, expressions_of_two_graphs_do_not_mix) {
  Graph g, other;
  const std::vector<Expr> list{g.symbol("x"), other.symbol("y")};
  EXPECT_EQ(error_of([&] { count(list); }),
            "expressions of two different graphs were used together; build both in one graph");
}

}  // namespace
}  // namespace klingel::sym
