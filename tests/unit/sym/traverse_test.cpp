// Walking below roots: each node once, operands first, without recursion.
#include "sym/traverse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class traverse : public testing::Test {
 protected:
  std::vector<Id> below(std::vector<Id> roots) { return nodes_below(g, roots); }
  std::vector<Id> in_use(std::vector<Id> roots) { return nodes_in_order_of_use(g, roots, {}); }
  std::vector<bool> stop_at(Expr atom) {
    std::vector<bool> stop(g.size(), false);
    stop[atom.id()] = true;
    return stop;
  }

  Graph g;
  Expr x = g.symbol("x");
  Expr y = g.symbol("y");
  Expr s = sin(x);
  Expr p = s * y;
  Expr unused = cos(y);
  Expr e = p + s;
};

TEST_F(traverse, nodes_below_come_once_in_the_order_of_ids) {
  EXPECT_THAT(below({e.id()}), ElementsAre(x.id(), y.id(), s.id(), p.id(), e.id()));
  EXPECT_THAT(below({e.id(), p.id(), p.id()}), ElementsAre(x.id(), y.id(), s.id(), p.id(), e.id()));
}

TEST_F(traverse, nodes_in_order_of_use_put_operands_just_before_their_atom) {
  const Expr late = unused * e;  // unused is older than e
  EXPECT_THAT(in_use({late.id()}),
              ElementsAre(y.id(), unused.id(), x.id(), s.id(), p.id(), e.id(), late.id()));
}

TEST_F(traverse, roots_are_served_in_the_order_given) {
  EXPECT_THAT(in_use({unused.id(), s.id()}), ElementsAre(y.id(), unused.id(), x.id(), s.id()));
  EXPECT_THAT(in_use({s.id(), unused.id()}), ElementsAre(x.id(), s.id(), y.id(), unused.id()));
}

TEST_F(traverse, a_stop_is_listed_but_not_entered) {
  const std::vector<Id> roots{e.id()};
  EXPECT_THAT(nodes_below(g, roots, stop_at(p)), ElementsAre(x.id(), s.id(), p.id(), e.id()));
  EXPECT_THAT(nodes_in_order_of_use(g, roots, stop_at(s)),
              ElementsAre(s.id(), y.id(), p.id(), e.id()));
}

TEST_F(traverse, without_roots_there_is_nothing) {
  EXPECT_THAT(below({}), IsEmpty());
  EXPECT_THAT(in_use({}), IsEmpty());
}

TEST_F(traverse, a_leaf_is_below_itself) {
  EXPECT_THAT(below({x.id()}), ElementsAre(x.id()));
  EXPECT_THAT(in_use({x.id()}), ElementsAre(x.id()));
}

TEST_F(traverse, a_chain_of_a_million_atoms_does_not_need_a_deep_stack) {
  Expr deep = x;
  for (int i = 0; i < 500'000; ++i) deep = sin(deep) + y;
  EXPECT_EQ(below({deep.id()}).size(), 1'000'002u);
  const std::vector<Id> order = in_use({deep.id()});
  EXPECT_EQ(order.size(), 1'000'002u);
  EXPECT_EQ(order.back(), deep.id());
}

}  // namespace
}  // namespace klingel::sym
