// Trigonometric simplification keeps values and never makes a list of expressions more expensive.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sym/count.hpp"
#include "sym/trigonometric.hpp"
#include "tests/support/property.hpp"

namespace klingel::sym {
namespace {

using test::any_index;
using test::any_recipe;
using test::Bounded;
using test::check_property;
using test::Recipe;

void check(const Recipe& recipe, const std::vector<Expr>& x, const std::vector<Expr>& list) {
  const std::vector<Expr> result = simplify_trigonometric(list);
  const std::size_t before = count(list).total(), after = count(result).total();
  if (after > before) {
    RC_LOG() << recipe;
    RC_FAIL(fmt::format("{} operations became {}", before, after));
  }
  const std::vector<Bounded> expected = test::bounded_values(x, recipe.point(), list);
  const std::vector<Bounded> actual = test::bounded_values(x, recipe.point(), result);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!test::agree(expected[i], actual[i])) {
      RC_LOG() << recipe;
      RC_FAIL(fmt::format("result {}: {} +- {}, expected {} +- {}", i, actual[i].value,
                          actual[i].error, expected[i].value, expected[i].error));
    }
  }
}

TEST(trigonometric, keeps_values_and_never_grows) {
  check_property(500, [] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    check(recipe, x, recipe.build(x));
  });
}

// Vectors turned up and down between bases at random, as a careless modeller would: there is
// something to find in nearly all of them.
TEST(trigonometric, keeps_values_of_random_turns) {
  int shorter = 0;
  check_property(500, [&] {
    const Recipe recipe = any_recipe({}, 1, 1);
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    RC_PRE(x.size() >= 3);
    std::vector<Expr> list;
    std::vector<Expr> u = {x[0], x[1], x[2]};
    for (std::size_t turn = 0; turn < 6; ++turn) {
      const Expr angle = x[any_index(x.size())];
      const Expr s = any_index(2) == 0 ? sin(angle) : -sin(angle), c = cos(angle);
      const std::size_t i = any_index(3), j = (i + 1) % 3;
      const Expr p = c * u[i] - s * u[j];
      const Expr q = s * u[i] + c * u[j];
      u[i] = p;
      u[j] = q;
      if (any_index(3) == 0) list.push_back(u[any_index(3)] * x[any_index(x.size())]);
    }
    list.insert(list.end(), u.begin(), u.end());
    check(recipe, x, list);
    if (count(simplify_trigonometric(list)).total() < count(list).total()) ++shorter;
  });
  EXPECT_GT(shorter, 50);
}

}  // namespace
}  // namespace klingel::sym
