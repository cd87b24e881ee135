// The Jacobian: sparse, the same from both sides, and made from the cheaper one.
#include "sym/jacobian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sym/count.hpp"
#include "sym/differentiate.hpp"
#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

std::vector<Expr> symbols(Graph& g, const std::string& name, int n) {
  std::vector<Expr> list;
  for (int i = 0; i < n; ++i) list.push_back(g.symbol(name + std::to_string(i)));
  return list;
}

// the entries of both at a point; structure and values must agree
void expect_same_values(const Matrix& a, const Matrix& b, const std::vector<Expr>& leaves,
                        double tolerance) {
  ASSERT_EQ(a.entries().size(), b.entries().size());
  std::vector<Expr> x, y;
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    EXPECT_EQ(a.entries()[i].row, b.entries()[i].row);
    EXPECT_EQ(a.entries()[i].col, b.entries()[i].col);
    x.push_back(a.entries()[i].value);
    y.push_back(b.entries()[i].value);
  }
  std::vector<double> at;
  for (std::size_t i = 0; i < leaves.size(); ++i) at.push_back(0.3 + 0.1 * static_cast<double>(i));
  const std::vector<double> u = test::values(leaves, at, x), v = test::values(leaves, at, y);
  for (std::size_t i = 0; i < u.size(); ++i) {
    EXPECT_NEAR(u[i], v[i], tolerance * (1 + std::abs(u[i])));
  }
}

TEST(jacobian, entries_are_the_derivatives) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const std::vector<Expr> list{x * y, sin(x)}, by{x, y};
  for (const JacobianMode mode : {JacobianMode::forward, JacobianMode::reverse}) {
    const Matrix J = jacobian(list, by, mode);
    EXPECT_EQ(J.rows(), 2u);
    EXPECT_EQ(J.cols(), 2u);
    ASSERT_EQ(J.entries().size(), 3u);
    EXPECT_EQ(J.find(0, 0)->value, y);
    EXPECT_EQ(J.find(0, 1)->value, x);
    EXPECT_EQ(J.find(1, 0)->value, cos(x));
    EXPECT_EQ(J.find(1, 1), nullptr);
  }
}

TEST(jacobian, forward_and_reverse_have_the_same_structure_and_values) {
  Graph g;
  const std::vector<Expr> x = symbols(g, "x", 5);
  const Expr s = sin(x[0]) * x[1], q = x[2] / (1 + s * s), r = sqrt(q * q + x[3]);
  const std::vector<Expr> list{
      r * s,
      atan2(q, x[3]) + exp(-x[1]),
      pow(x[2], x[3]) - log(x[3]) * acos(x[1] / 2),
      min(x[0], x[3] * x[0]) + max(s, q) * abs(x[1] - x[2]),
      tan(x[0]) * asin(x[1]) / r,
      x[3] * x[3] * x[3],
  };
  const Matrix f = jacobian(list, x, JacobianMode::forward);
  const Matrix b = jacobian(list, x, JacobianMode::reverse);
  expect_same_values(f, b, x, 1e-13);  // a dozen roundings each
  EXPECT_EQ(f.find(0, 4), nullptr);    // x4 is used nowhere
}

TEST(jacobian, what_cancels_is_not_an_entry) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const std::vector<Expr> list{(x + y) - y}, by{x, y};
  EXPECT_EQ(jacobian(list, by, JacobianMode::forward).entries().size(), 1u);
  EXPECT_EQ(jacobian(list, by, JacobianMode::reverse).entries().size(), 1u);
}

TEST(jacobian, more_than_64_symbols_are_told_apart) {
  Graph g;
  const std::vector<Expr> x = symbols(g, "x", 130);
  std::vector<Expr> list;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) list.push_back(x[i] * sin(x[i + 1]));
  for (const JacobianMode mode : {JacobianMode::forward, JacobianMode::reverse}) {
    const Matrix J = jacobian(list, x, mode);
    ASSERT_EQ(J.entries().size(), 2 * list.size());
    for (std::uint32_t i = 0; i + 1 < x.size(); ++i) {
      EXPECT_EQ(J.find(i, i)->value, sin(x[i + 1]));
      EXPECT_EQ(J.find(i, i + 1)->value, x[i] * cos(x[i + 1]));
    }
  }
}

// what the automatic choice makes must be what the named mode makes
std::size_t atoms_made(JacobianMode mode, int rows, int cols) {
  Graph g;
  const std::vector<Expr> x = symbols(g, "x", cols);
  Expr common = g.number(0);
  for (const Expr& xi : x) common += sin(xi) * xi;
  common = sqrt(common);
  std::vector<Expr> list;
  for (int r = 0; r < rows; ++r) list.push_back(exp(common * (r + 2)));
  const std::size_t before = g.size();
  jacobian(list, x, mode);
  return g.size() - before;
}

TEST(jacobian, automatic_goes_backwards_from_few_expressions_of_many_symbols) {
  EXPECT_EQ(atoms_made(JacobianMode::automatic, 1, 50), atoms_made(JacobianMode::reverse, 1, 50));
  EXPECT_LT(atoms_made(JacobianMode::reverse, 1, 50), atoms_made(JacobianMode::forward, 1, 50));
}

TEST(jacobian, automatic_goes_forwards_to_many_expressions_of_few_symbols) {
  EXPECT_EQ(atoms_made(JacobianMode::automatic, 50, 2), atoms_made(JacobianMode::forward, 50, 2));
  EXPECT_LT(atoms_made(JacobianMode::forward, 50, 2), atoms_made(JacobianMode::reverse, 50, 2));
}

TEST(jacobian, forward_shares_its_memory_with_derivative) {
  Graph g;
  const std::vector<Expr> x = symbols(g, "x", 3);
  const std::vector<Expr> list{sin(x[0] * x[1]) * x[2]};
  const Matrix J = jacobian(list, x, JacobianMode::forward);
  const std::size_t size = g.size();
  for (std::uint32_t c = 0; c < 3; ++c) EXPECT_EQ(J.find(0, c)->value, derivative(list[0], x[c]));
  EXPECT_EQ(g.size(), size);
}

TEST(jacobian, symbols_and_constants_are_legal_expressions) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const std::vector<Expr> list{x, g.number(3), y}, by{y, x, x};
  for (const JacobianMode mode : {JacobianMode::forward, JacobianMode::reverse}) {
    const Matrix J = jacobian(list, by, mode);
    ASSERT_EQ(J.entries().size(), 3u);
    EXPECT_TRUE(J.find(2, 0)->value.is(1));
    EXPECT_TRUE(J.find(0, 1)->value.is(1));
    EXPECT_TRUE(J.find(0, 2)->value.is(1));  // a symbol given twice has two columns
  }
}

TEST(jacobian, without_rows_or_columns_it_is_empty) {
  Graph g;
  const std::vector<Expr> x{g.symbol("x")}, none;
  EXPECT_EQ(jacobian(none, x).rows(), 0u);
  EXPECT_EQ(jacobian(none, x).cols(), 1u);
  EXPECT_EQ(jacobian(x, none).rows(), 1u);
  EXPECT_TRUE(jacobian(x, none).entries().empty());
}

TEST(jacobian, a_chain_of_a_million_atoms_does_not_need_a_deep_stack) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  Expr e = x;
  for (int i = 0; i < 250'000; ++i) e = sin(e) + y;
  const std::vector<Expr> list{e}, by{x, y};
  EXPECT_EQ(jacobian(list, by, JacobianMode::reverse).entries().size(), 2u);
}

TEST(jacobian, wrong_arguments_are_errors) {
  Graph g, other;
  const Expr x = g.symbol("x"), w = other.symbol("w");
  EXPECT_EQ(error_of([&] { jacobian(std::vector<Expr>{x}, std::vector<Expr>{2 * x}); }),
            "a symbol was expected, found an atom of operation 'mul'");
  EXPECT_EQ(error_of([&] { jacobian(std::vector<Expr>{x}, std::vector<Expr>{w}); }),
            "the expression does not belong to this graph");
  EXPECT_EQ(error_of([&] {
              jacobian(std::vector<Expr>{x, w}, std::vector<Expr>{x});
            }),
            "expressions of two different graphs were used together; build both in one graph");
}

}  // namespace
}  // namespace klingel::sym
