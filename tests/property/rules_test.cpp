// The rules of construction on random programs: they keep values, they do not grow expressions,
// and they leave nothing they could still change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "sym/count.hpp"
#include "tests/support/property.hpp"

namespace klingel::sym {
namespace {

using test::any_recipe;
using test::check_property;
using test::Recipe;
using test::Step;

TEST(rules, keep_values) {
  check_property(2000, [] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);
    const std::vector<test::Bounded> v = test::bounded_values(x, recipe.point(), e);
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!test::agree(v[i], recipe.steps()[i].value)) {
        RC_LOG() << recipe;
        RC_FAIL(fmt::format("v{}: atoms give {}, plain doubles {}; bounds {} and {}", i, v[i].value,
                            recipe.steps()[i].value.value, v[i].error,
                            recipe.steps()[i].value.error));
      }
    }
  });
}

// pow counts as the most a power becomes: six products and a division.
double operations_of(Op op) { return op == Op::pow ? 7 : is_leaf(op) ? 0 : 1; }

// Operations of every step written out, shared ones as often as they are used.
std::vector<double> written_out(const Recipe& recipe) {
  std::vector<double> sum;
  for (const Step& s : recipe.steps()) {
    sum.push_back(operations_of(s.op));
    if (is_unary(s.op) || is_binary(s.op)) sum.back() += sum[s.a];
    if (is_binary(s.op)) sum.back() += sum[s.b];
  }
  return sum;
}

std::vector<double> written_out(const Graph& g) {
  std::vector<double> sum;
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g.node(id);
    sum.push_back(operations_of(n.op));
    if (!is_leaf(n.op)) sum.back() += sum[n.a];
    if (is_binary(n.op)) sum.back() += sum[n.b];
  }
  return sum;
}

// Written out, constants included, no expression has more operations than the program that made
// it. (Powers are left out: x^2 = x*x is written twice.)
TEST(rules, never_grow_an_expression_written_out) {
  check_property(2000, [] {
    test::RecipeOptions options;
    options.powers = false;
    const Recipe recipe = any_recipe(options);
    Graph g;
    const std::vector<Expr> e = recipe.build(recipe.symbols(g));
    const std::vector<double> plain = written_out(recipe), ours = written_out(g);
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (ours[e[i].id()] > plain[i]) {
        RC_LOG() << recipe;
        RC_FAIL(fmt::format("v{}: {} operations, plainly {}", i, ours[e[i].id()], plain[i]));
      }
    }
  });
}

// Distinct operations below the last `roots` steps of a program: equal ones merged, nothing else.
double plain_count(const Recipe& recipe, std::size_t roots) {
  std::map<std::tuple<Op, std::size_t, std::size_t, double>, std::size_t> table;
  std::vector<std::size_t> same;
  for (const Step& s : recipe.steps()) {
    const bool leaf = is_leaf(s.op);
    const std::size_t a = leaf ? s.a : same[s.a], b = is_binary(s.op) ? same[s.b] : a;
    const double number = is_number(s.op) ? s.value.value : 0;
    same.push_back(table.emplace(std::tuple(s.op, a, b, number), same.size()).first->second);
  }
  std::vector<bool> needed(same.size(), false);
  for (std::size_t i = same.size() - roots; i < same.size(); ++i) needed[same[i]] = true;
  double sum = 0;
  for (std::size_t i = same.size(); i-- > 0;) {
    const Step& s = recipe.steps()[i];
    if (!needed[i] || is_leaf(s.op)) continue;
    sum += operations_of(s.op);
    needed[same[s.a]] = true;
    if (is_binary(s.op)) needed[same[s.b]] = true;
  }
  return sum;
}

// As a graph: signs travel outwards, -x * y = -(x * y), so that x * y and -x * y share a product.
// Where both x and -x are needed this costs a negation, hence these are not counted here; every
// other operation of ours stands for at least one of the program.
TEST(rules, never_grow_a_graph_apart_from_negations) {
  int cases = 0, larger = 0;
  double ours_sum = 0, plain_sum = 0;
  check_property(2000, [&] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> e = recipe.build(recipe.symbols(g));
    for (const std::size_t roots : {std::size_t{1}, std::size_t{10}, e.size()}) {
      const Count c = count(std::span(e).last(roots));
      const double plain = plain_count(recipe, roots);
      if (static_cast<double>(c.total() - c.neg) > plain) {
        RC_LOG() << recipe;
        RC_FAIL(fmt::format("{} operations and {} negations, plainly {}", c.total() - c.neg, c.neg,
                            plain));
      }
      ++cases;
      larger += static_cast<double>(c.total()) > plain ? 1 : 0;
      ours_sum += static_cast<double>(c.total());
      plain_sum += plain;
    }
  });
  EXPECT_LT(larger, cases / 20);
  EXPECT_LT(ours_sum, 0.9 * plain_sum);
}

// Building an atom again from its operands gives the atom: no rule waits for a second chance.
TEST(rules, are_done_when_an_atom_is_made) {
  check_property(2000, [] {
    const Recipe recipe = any_recipe();
    Graph g;
    recipe.build(recipe.symbols(g));
    const std::size_t size = g.size();
    for (Id id = 0; id < size; ++id) RC_ASSERT(rebuild(g, id, g.node(id).a, g.node(id).b) == id);
    RC_ASSERT(g.size() == size);
  });
}

// The same program in a second graph: the same nodes under the same ids.
TEST(rules, build_the_same_ids_again) {
  check_property(2000, [] {
    const Recipe recipe = any_recipe();
    Graph g, h;
    const std::vector<Expr> e = recipe.build(recipe.symbols(g));
    const std::vector<Expr> f = recipe.build(recipe.symbols(h));
    RC_ASSERT(g.size() == h.size());
    for (std::size_t i = 0; i < e.size(); ++i) RC_ASSERT(e[i].id() == f[i].id());
    for (Id id = 0; id < g.size(); ++id) {
      RC_ASSERT(g.op(id) == h.op(id));
      RC_ASSERT(g.node(id).a == h.node(id).a);
      RC_ASSERT(g.node(id).b == h.node(id).b);
    }
  });
}

}  // namespace
}  // namespace klingel::sym
