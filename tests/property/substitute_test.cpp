// Substitution commutes with evaluation: putting an expression in, then numbers, is the same as
// putting the expression's number in.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "sym/depends.hpp"
#include "sym/substitute.hpp"
#include "tests/support/property.hpp"

namespace klingel::sym {
namespace {

using test::any_recipe;
using test::Bounded;
using test::check_property;
using test::Recipe;

// An expression close to the value of `atom` at the point but not equal to it: some other step
// moved by a constant. Far away, half of the programs would leave their domain.
Expr close_by(const Recipe& recipe, const std::vector<Expr>& steps, std::size_t atom) {
  const std::size_t other = test::any_index(steps.size());
  const double gap = recipe.steps()[atom].value.value - recipe.steps()[other].value.value;
  return steps[other] + (gap + 0.003);
}

void check(bool inner) {
  int compared = 0;
  check_property(2000, [&] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);
    const std::size_t first = test::any_index(inner ? e.size() : x.size());
    const std::size_t second = test::any_index(x.size());
    RC_PRE(!e[first].is_number() && e[first] != e[second]);
    const std::vector<Replacement> replacements{{e[first], close_by(recipe, e, first)},
                                                {e[second], close_by(recipe, e, second)}};
    std::vector<Expr> result;
    try {
      result = substitute(e, replacements);
    } catch (const base::Error&) {
      RC_DISCARD("a constant left the domain of an operation");
    }

    // the numbers of the replacements, as leaves in the place of the replaced atoms
    const std::vector<Expr> by{replacements[0].by, replacements[1].by};
    const std::vector<Bounded> numbers = test::bounded_values(x, recipe.point(), by);
    std::vector<Expr> leaves = x;
    std::vector<double> at = recipe.point();
    at[second] = numbers[1].value;
    leaves.push_back(e[first]);
    at.push_back(numbers[0].value);
    if (first < x.size()) at[first] = numbers[0].value;
    const std::vector<Bounded> expected = test::bounded_values(leaves, at, e);
    const std::vector<Bounded> actual = test::bounded_values(x, recipe.point(), result);
    for (std::size_t i = 0; i < e.size(); ++i) {
      // the error of the replacement's own number is in `actual` only
      const double size = 1 + std::abs(expected[i].value);
      if (!(actual[i].error + expected[i].error <= 1e-9 * size)) continue;  // or not a number
      ++compared;
      if (!test::agree(expected[i], actual[i])) {
        RC_LOG() << recipe;
        RC_FAIL(fmt::format("v{} with v{} and v{} replaced: {} +- {}, expected {} +- {}", i, first,
                            second, actual[i].value, actual[i].error, expected[i].value,
                            expected[i].error));
      }
    }
  });
  EXPECT_GT(compared, 10'000);
}

TEST(substitution, of_symbols_commutes_with_evaluation) { check(false); }

TEST(substitution, of_inner_atoms_commutes_with_evaluation) { check(true); }

TEST(substitution, of_a_symbol_leaves_none_behind) {
  check_property(2000, [] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);
    const Expr fresh = g.symbol("fresh");
    const std::vector<Replacement> replacements{{x[0], fresh + x[1]}};
    for (const Expr& s : substitute(e, replacements)) RC_ASSERT(!depends_on(s, x[0]));
  });
}

TEST(substitution, there_and_back_is_the_identity_on_values) {
  check_property(2000, [] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);
    const Expr fresh = g.symbol("fresh");
    const std::vector<Replacement> there{{x[0], fresh}}, back{{fresh, x[0]}};
    const std::vector<Expr> again = substitute(substitute(e, there), back);
    const std::vector<Bounded> a = test::bounded_values(x, recipe.point(), e);
    const std::vector<Bounded> b = test::bounded_values(x, recipe.point(), again);
    for (std::size_t i = 0; i < e.size(); ++i) RC_ASSERT(test::agree(a[i], b[i]));
  });
}

}  // namespace
}  // namespace klingel::sym
