// Printed texts mean what the atoms mean: read back as C, Python or Matlab they give the same
// bits, because text and graph associate alike and numbers are written exactly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sym/differentiate.hpp"
#include "tests/support/expr.hpp"
#include "tests/support/formula.hpp"
#include "tests/support/property.hpp"

namespace klingel::sym {
namespace {

using test::any_recipe;
using test::check_property;
using test::Formula;
using test::Recipe;

constexpr Language languages[] = {Language::c, Language::python, Language::matlab};

TEST(printers, a_listing_reads_back_with_the_same_bits) {
  check_property(1000, [] {
    const Recipe recipe = any_recipe();
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    std::vector<Expr> e = recipe.build(x);
    e.push_back(derivative(e.back(), x[0]));  // signs and quotients programs do not have
    const std::vector<double> expected = test::values(x, recipe.point(), e);
    std::vector<std::pair<std::string, Expr>> results;
    for (std::size_t i = 0; i < e.size(); ++i) results.emplace_back(fmt::format("v{}", i), e[i]);
    for (const Language language : languages) {
      Formula::Names names;
      for (std::size_t k = 0; k < x.size(); ++k) names[fmt::format("x{}", k)] = recipe.point()[k];
      const std::string lines = listing(results, language);
      Formula::run(lines, names);
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (names.at(results[i].first) == expected[i]) continue;
        RC_LOG() << lines;
        RC_FAIL(fmt::format("v{} reads as {}, is {}", i, names.at(results[i].first), expected[i]));
      }
    }
  });
}

TEST(printers, one_line_reads_back_with_the_same_bits) {
  check_property(1000, [] {
    const Recipe recipe = any_recipe({}, 5, 25);
    Graph g;
    const std::vector<Expr> x = recipe.symbols(g);
    const std::vector<Expr> e = recipe.build(x);
    Formula::Names names;
    for (std::size_t k = 0; k < x.size(); ++k) names[fmt::format("x{}", k)] = recipe.point()[k];
    for (const Expr& y : e) {
      const double expected = test::value(x, recipe.point(), y);
      for (const Language language : languages) {
        const std::string line = text(y, language);
        if (line.size() > 10'000) continue;
        const double actual = Formula::value(line, names);
        if (actual != expected)
          RC_FAIL(fmt::format("{} reads as {}, is {}", line, actual, expected));
      }
    }
  });
}

TEST(printers, the_same_program_gives_the_same_text) {
  check_property(300, [] {
    const Recipe recipe = any_recipe();
    const auto write = [&recipe] {
      Graph g;
      const std::vector<Expr> x = recipe.symbols(g);
      std::vector<Expr> e = recipe.build(x);
      e.push_back(derivative(e.back(), x[1]));
      std::vector<std::pair<std::string, Expr>> results;
      for (const Expr& y : e) results.emplace_back(fmt::format("v{}", results.size()), y);
      std::string all;
      for (const Language language : languages) all += listing(results, language);
      return all + listing(results, Language::latex);
    };
    RC_ASSERT(write() == write());
  });
}

}  // namespace
}  // namespace klingel::sym
