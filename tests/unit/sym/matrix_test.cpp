// The sparse matrix: sorted, unique, without zeros.
#include "sym/matrix.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/expr.hpp"

namespace klingel::sym {
namespace {

using test::error_of;

TEST(matrix, entries_are_sorted_by_column_then_row) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
  const Matrix m(2, 2, {{1, 1, z}, {0, 1, y}, {1, 0, x}});
  ASSERT_EQ(m.entries().size(), 3u);
  EXPECT_EQ(m.entries()[0].value, x);
  EXPECT_EQ(m.entries()[1].value, y);
  EXPECT_EQ(m.entries()[2].value, z);
}

TEST(matrix, zeros_are_dropped) {
  Graph g;
  const Expr x = g.symbol("x");
  const Matrix m(2, 1, {{0, 0, x - x}, {1, 0, x}});
  ASSERT_EQ(m.entries().size(), 1u);
  EXPECT_EQ(m.entries()[0].row, 1u);
}

TEST(matrix, find_gives_an_entry_or_null) {
  Graph g;
  const Expr x = g.symbol("x");
  const Matrix m(3, 3, {{2, 1, x}});
  ASSERT_NE(m.find(2, 1), nullptr);
  EXPECT_EQ(m.find(2, 1)->value, x);
  EXPECT_EQ(m.find(1, 2), nullptr);
  EXPECT_EQ(Matrix(2, 2).find(0, 0), nullptr);
}

TEST(matrix, the_entries_of_a_temporary_outlive_it) {
  Graph g;
  const Expr x = g.symbol("x");
  for (const Entry& e : Matrix(1, 1, {{0, 0, x}}).entries()) EXPECT_EQ(e.value, x);
}

TEST(matrix, dense_takes_columns) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y"), zero = g.number(0);
  const std::vector<Expr> values{x, zero, y, x};
  const Matrix m = Matrix::dense(2, 2, values);
  EXPECT_EQ(m.find(0, 0)->value, x);
  EXPECT_EQ(m.find(1, 0), nullptr);
  EXPECT_EQ(m.find(0, 1)->value, y);
  EXPECT_EQ(m.find(1, 1)->value, x);
}

TEST(matrix, wrong_shapes_are_errors) {
  Graph g;
  const Expr x = g.symbol("x");
  const std::vector<Expr> three{x, x, x};
  EXPECT_EQ(error_of([&] { Matrix::dense(2, 2, three); }),
            "a matrix of 2 x 2 needs 4 expressions, found 3");
  EXPECT_EQ(error_of([&] {
              Matrix(2, 2, {{0, 2, x}});
            }),
            "entry (0, 2) lies outside a matrix of 2 x 2");
  EXPECT_EQ(error_of([&] {
              Matrix(2, 2, {{0, 1, x}, {0, 1, 2 * x}});
            }),
            "entry (0, 1) is given twice");
  EXPECT_EQ(error_of([&] {
              Matrix(2, 2, {{0, 1, Expr()}});
            }),
            "an empty expression was used; give it a value first");
}

}  // namespace
}  // namespace klingel::sym
