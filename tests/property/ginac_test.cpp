// Derivatives of random sums, products, quotients and chains against GiNaC, an independent system:
// the same expression is built and differentiated in both, then evaluated at the same point, by
// GiNaC with 40 digits.
#include <fmt/format.h>
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sym/differentiate.hpp"
#include "tests/support/property.hpp"

namespace klingel::sym {
namespace {

using test::any_recipe;
using test::Bounded;
using test::check_property;
using test::Recipe;
using test::Step;

// a double as the rational number it is
GiNaC::ex exact(double x) {
  int e = 0;
  const double m = std::ldexp(std::frexp(x, &e), 53);  // an integer; x = m 2^(e - 53)
  return GiNaC::numeric(static_cast<long>(m)) * GiNaC::pow(GiNaC::ex(2), e - 53);
}

GiNaC::ex operation(Op op, const GiNaC::ex& a, const GiNaC::ex& b) {
  switch (op) {
    case Op::neg:
      return -a;
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return GiNaC::pow(a, b);
    case Op::sqrt:
      return GiNaC::sqrt(a);
    case Op::sin:
      return GiNaC::sin(a);
    case Op::cos:
      return GiNaC::cos(a);
    case Op::tan:
      return GiNaC::tan(a);
    case Op::asin:
      return GiNaC::asin(a);
    case Op::acos:
      return GiNaC::acos(a);
    case Op::exp:
      return GiNaC::exp(a);
    case Op::log:
      return GiNaC::log(a);
    case Op::atan2:
      return GiNaC::atan2(a, b);
    default:
      throw std::logic_error("no such operation in this test");
  }
}

std::vector<GiNaC::ex> build(const Recipe& recipe, const std::vector<GiNaC::ex>& x) {
  std::vector<GiNaC::ex> e;
  for (const Step& s : recipe.steps()) {
    if (s.op == Op::symbol) {
      e.push_back(x[s.a]);
    } else if (is_number(s.op)) {
      e.push_back(GiNaC::numeric(static_cast<long>(s.num), static_cast<long>(s.den)));
    } else {
      e.push_back(operation(s.op, e[s.a], e[s.b]));
    }
  }
  return e;
}

// A recipe GiNaC can write out as a tree in reasonable time.
bool is_small(const Recipe& recipe, std::size_t step) {
  std::vector<double> size;
  for (const Step& s : recipe.steps()) {
    size.push_back(1);
    if (is_unary(s.op) || is_binary(s.op)) size.back() += size[s.a];
    if (is_binary(s.op)) size.back() += size[s.b];
  }
  return size[step] < 100;
}

TEST(ginac, derivatives_agree) {
  GiNaC::Digits = 40;
  int compared = 0;
  check_property(600, [&] {
    test::RecipeOptions options;
    options.kinks = false;
    options.exact_only = true;
    options.symbols = 3;
    const Recipe recipe = any_recipe(options, 5, 40);
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);

    std::vector<GiNaC::ex> y;
    GiNaC::exmap at;
    for (std::size_t k = 0; k < x.size(); ++k) {
      y.push_back(GiNaC::realsymbol("x" + std::to_string(k)));
      at[y[k]] = exact(recipe.point()[k]);
    }
    const std::vector<GiNaC::ex> f = build(recipe, y);

    for (std::size_t i = e.size() - std::min<std::size_t>(5, e.size()); i < e.size(); ++i) {
      if (!is_small(recipe, i)) continue;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const Expr d = derivative(e[i], x[k]);
        const Bounded ours = test::bounded_values(x, recipe.point(), std::span(&d, 1)).front();
        const GiNaC::ex theirs = f[i].diff(GiNaC::ex_to<GiNaC::symbol>(y[k])).subs(at).evalf();
        if (!GiNaC::is_a<GiNaC::numeric>(theirs)) RC_FAIL("GiNaC did not reach a number");
        const GiNaC::numeric& number = GiNaC::ex_to<GiNaC::numeric>(theirs);
        const double expected = number.real().to_double();
        ++compared;
        // their value is exact to all digits of a double, so only our error counts
        const double tolerance = 2 * ours.error + test::rounding * std::abs(expected);
        if (std::abs(ours.value - expected) > tolerance ||
            std::abs(number.imag().to_double()) > 1e-30) {
          RC_LOG() << recipe;
          RC_FAIL(fmt::format("d v{} / d x{}: {} +- {}, GiNaC {}", i, k, ours.value, ours.error,
                              expected));
        }
      }
    }
  });
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace klingel::sym
