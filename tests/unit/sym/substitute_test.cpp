// Substitution: symbols and inner atoms, all at once, through the rules of construction.
#include "sym/substitute.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

class substitution : public testing::Test {
 protected:
  Expr in(Expr e, std::vector<Replacement> r) { return substitute(e, r); }

  Graph g;
  Expr x = g.symbol("x");
  Expr y = g.symbol("y");
  Expr z = g.symbol("z");
};

TEST_F(substitution, a_symbol_is_replaced_by_an_expression) {
  EXPECT_EQ(in(sin(x) * x + y, {{x, y + 1}}), sin(y + 1) * (y + 1) + y);
}

TEST_F(substitution, the_rules_apply_again) {
  EXPECT_EQ(in(sin(x) * y, {{x, g.number(0)}}), g.number(0));
  EXPECT_EQ(in(x - y, {{x, y}}), g.number(0));
  EXPECT_EQ(in(cos(x), {{x, -y}}), cos(y));
}

TEST_F(substitution, an_inner_atom_is_replaced) {
  EXPECT_EQ(in(1 / (x * y) + sin(x * y) + x, {{x * y, z}}), 1 / z + sin(z) + x);
  EXPECT_EQ(in(x * y, {{x * y, z}}), z);
}

TEST_F(substitution, an_inner_atom_is_found_by_identity_only) {
  EXPECT_EQ(in(x * (y * z), {{x * y, z}}), x * (y * z));
}

TEST_F(substitution, a_constant_atom_is_replaced) {
  const Expr root = sqrt(g.number(2));
  EXPECT_EQ(in(x * root + y, {{root, z}}), x * z + y);
}

TEST_F(substitution, all_replacements_happen_at_once) {
  EXPECT_EQ(in(x - 2 * y, {{x, y}, {y, x}}), y - 2 * x);
  EXPECT_EQ(in(x + y, {{x, y}, {y, z}}), y + z);
}

TEST_F(substitution, a_replacement_may_contain_what_it_replaces) {
  EXPECT_EQ(in(x * x, {{x, x + 1}}), (x + 1) * (x + 1));
  EXPECT_EQ(in(sin(x), {{x, sin(x)}}), sin(sin(x)));
}

TEST_F(substitution, an_outer_atom_wins_over_what_is_below_it) {
  EXPECT_EQ(in(sin(x * y) + x, {{x * y, z}, {x, y}}), sin(z) + y);
}

TEST_F(substitution, what_does_not_contain_the_atom_stays_itself) {
  const Expr e = sin(y) + z;
  const std::size_t size = g.size();
  EXPECT_EQ(in(e, {{x, y}}), e);
  EXPECT_EQ(in(e, {}), e);
  EXPECT_EQ(g.size(), size);
}

TEST_F(substitution, symbols_that_share_a_hash_bit_are_told_apart) {
  std::vector<Expr> s;
  for (int i = 0; i < 40; ++i) s.push_back(g.symbol("s" + std::to_string(i)));
  EXPECT_EQ(in(sin(s[0]) + s[32], {{s[32], x}}), sin(s[0]) + x);
}

TEST_F(substitution, a_list_is_substituted_with_one_memory) {
  const std::vector<Expr> list{sin(x), sin(x) + y, z};
  const std::vector<Replacement> r{{x, z}};
  const std::vector<Expr> result = substitute(list, r);
  EXPECT_EQ(result, (std::vector<Expr>{sin(z), sin(z) + y, z}));
  EXPECT_TRUE(substitute(std::vector<Expr>{}, r).empty());
}

TEST_F(substitution, the_second_time_costs_no_new_node) {
  Expr e = x;
  for (int i = 0; i < 100; ++i) e = sin(e) + y;
  const Expr first = in(e, {{x, z}, {y, x}});
  const std::size_t size = g.size();
  EXPECT_EQ(in(e, {{y, x}, {x, z}}), first);  // the order of replacements does not matter
  EXPECT_EQ(g.size(), size);
}

TEST_F(substitution, a_chain_of_a_million_atoms_does_not_need_a_deep_stack) {
  Expr e = x;
  for (int i = 0; i < 500'000; ++i) e = sin(e) + y;
  const std::size_t size = g.size();
  EXPECT_NE(in(e, {{x, z}}), e);
  EXPECT_EQ(g.size(), size + 1'000'000);
}

TEST_F(substitution, wrong_replacements_are_errors) {
  Graph other;
  const Expr w = other.symbol("w");
  const std::string mixed =
      "expressions of two different graphs were used together; build both in one graph";
  EXPECT_EQ(error_of([&] { in(x, {{g.number(2), y}}); }), "a number cannot be replaced");
  EXPECT_EQ(error_of([&] {
              in(x, {{x, y}, {x, z}});
            }),
            "an atom is replaced twice in one substitution");
  EXPECT_EQ(error_of([&] { in(x, {{w, y}}); }), mixed);
  EXPECT_EQ(error_of([&] { in(x, {{x, w}}); }), mixed);
  EXPECT_EQ(error_of([&] {
              in(x, {{x, Expr()}});
            }),
            "an empty expression was used; give it a value first");
}

}  // namespace
}  // namespace klingel::sym
