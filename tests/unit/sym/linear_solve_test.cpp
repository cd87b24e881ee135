// sym/linear_solve.hpp: LU and LDL^T written in atoms. Claims: right solutions, sparsity without
// fill in a good order, the pivot as an output, and clear errors.
#include "sym/linear_solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "base/error.hpp"
#include "sym/count.hpp"
#include "sym/ordering.hpp"
#include "sym/tape.hpp"
#include "tests/support/error_of.hpp"

namespace klingel::sym {
namespace {

struct System {
  Graph g;
  std::vector<Entry> entries;
  std::vector<Expr> leaves, b;
  std::vector<double> values;

  void entry(std::uint32_t i, std::uint32_t j, double v) {
    const Expr x = g.parameter("a" + std::to_string(i) + "_" + std::to_string(j), v);
    entries.push_back({i, j, x});
    leaves.push_back(x);
    values.push_back(v);
  }
  void symmetric_entry(std::uint32_t i, std::uint32_t j, double v) {
    entry(i, j, v);
    if (i != j) entries.push_back({j, i, entries.back().value});
  }
  void right_hand_side(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      b.push_back(g.parameter("b" + std::to_string(i), 1.0 + static_cast<double>(i)));
      leaves.push_back(b.back());
      values.push_back(1.0 + static_cast<double>(i));
    }
  }
  Matrix matrix() const {
    const auto n = static_cast<std::uint32_t>(b.size());
    return {n, n, entries};
  }
  // the largest |A x - b| of the solution that the factors give
  double residual(const Factors& f) {
    const std::vector<Expr> x = f.solve(b);
    std::vector<double> solution;
    for (const Expr& e : x) solution.push_back(value(e));
    std::vector<double> r(b.size());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = -value(b[i]);
    for (const Entry& e : entries) r[e.row] += value(e.value) * solution[e.col];
    double worst = 0;
    for (const double v : r) worst = std::max(worst, std::abs(v));
    return worst;
  }
};

// an arrow: a full last row and column on a diagonal
void fill_arrow(System& s, std::uint32_t n, bool first) {
  const std::uint32_t head = first ? 0 : n - 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    s.symmetric_entry(i, i, 4.0 + i);
    if (i != head) s.symmetric_entry(i, head, 1.0 + 0.1 * i);
  }
  s.right_hand_side(n);
}

TEST(Factors, solve_a_full_nonsymmetric_system) {
  System s;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::uint32_t i = 0; i < 6; ++i) {
    for (std::uint32_t j = 0; j < 6; ++j) s.entry(i, j, uniform(random) + (i == j ? 5 : 0));
  }
  s.right_hand_side(6);
  EXPECT_LT(s.residual(Factors(s.matrix())), 1e-14);
}

TEST(Factors, ldlt_gives_the_solution_of_lu_with_fewer_operations) {
  System s;
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t j = 0; j <= i; ++j)
      s.symmetric_entry(i, j, i == j ? 9.0 + i : 1.0 / (1 + i + j));
  }
  s.right_hand_side(8);
  const Factors lu(s.matrix()), ldlt(s.matrix(), {Elimination::ldlt, {}});
  EXPECT_LT(s.residual(lu), 1e-13);
  EXPECT_LT(s.residual(ldlt), 1e-13);
  EXPECT_LT(count(ldlt.solve(s.b)).total(),
            0.8 * static_cast<double>(count(lu.solve(s.b)).total()));
}

TEST(Factors, an_arrow_fills_in_a_bad_order_and_not_in_the_one_they_find) {
  System s;
  fill_arrow(s, 8, true);
  std::vector<std::uint32_t> head_first(8);
  for (std::uint32_t i = 0; i < 8; ++i) head_first[i] = i;
  EXPECT_EQ(Factors(s.matrix()).fill(), 0u);
  EXPECT_EQ(Factors(s.matrix(), {Elimination::lu, head_first}).fill(), 8u * 8u - 22u);
}

TEST(Factors, eliminate_constraints_after_what_they_are_coupled_with) {
  // [M, phi^T; phi, 0]
  System s;
  s.symmetric_entry(0, 0, 2);
  s.symmetric_entry(1, 1, 3);
  s.symmetric_entry(2, 0, 1);
  s.symmetric_entry(2, 1, -1);
  s.right_hand_side(3);
  const Factors f(s.matrix());
  EXPECT_EQ(f.order().back(), 2u);
  EXPECT_LT(s.residual(f), 1e-15);
}

TEST(Factors, report_the_smallest_pivot_and_pass_nan_on) {
  System s;
  s.entry(0, 0, 2);
  s.entry(1, 1, -0.25);
  s.right_hand_side(2);
  const Factors f(s.matrix());
  EXPECT_DOUBLE_EQ(value(f.smallest_pivot()), 0.25);
  s.g.set_value(s.entries[0].value, NAN);
  EXPECT_TRUE(std::isnan(value(f.smallest_pivot())));
  s.g.set_value(s.entries[0].value, 2);
  s.g.set_value(s.entries[1].value, NAN);
  EXPECT_TRUE(std::isnan(value(f.smallest_pivot())));
}

using test::error_of;

TEST(Factors, name_what_is_wrong) {
  System s;
  s.symmetric_entry(0, 0, 1);
  s.symmetric_entry(1, 0, 1);
  s.right_hand_side(2);
  EXPECT_EQ(error_of([&] {
              Factors(s.matrix(), {Elimination::lu, {1, 0}});
            }),
            "the pivot of row 1 is identically zero in this order; move the row behind those it is "
            "coupled with");
  EXPECT_EQ(error_of([&] {
              Factors(s.matrix(), {Elimination::lu, {0, 0}});
            }),
            "the elimination order is not a permutation: index 0 of 2 rows");
  EXPECT_EQ(error_of([&] {
              Factors(s.matrix(), {Elimination::lu, {0}});
            }),
            "the elimination order has 1 entries, the matrix 2 rows");
  EXPECT_EQ(error_of([&] { Factors(s.matrix()).solve(std::span(s.b).first(1)); }),
            "the right-hand side has 1 entries, the matrix 2 rows");
  System other;
  other.symmetric_entry(0, 0, 1);
  other.entry(1, 0, 1);
  other.entry(0, 1, 1);
  other.right_hand_side(2);
  EXPECT_EQ(error_of([&] {
              Factors(other.matrix(), {Elimination::ldlt, {}});
            }),
            "LDL^T needs a symmetric matrix; entries (1, 0) and (0, 1) are different atoms");
  EXPECT_EQ(error_of([&] { Factors(Matrix(2, 3)); }),
            "a linear solve needs a square matrix, found 2 x 3");
}

TEST(Factors, refuse_a_structurally_singular_matrix) {
  System s;
  s.entry(0, 0, 1);
  s.right_hand_side(2);
  EXPECT_EQ(error_of([&] { Factors(s.matrix()); }),
            "the matrix is structurally singular: no pivot is left for row 1 and 0 more");
}

// two constraints on the same coordinate of three: after the first the second has a filled pivot
// that is zero, and must wait
TEST(stable_order, avoids_pivots_that_are_filled_and_zero) {
  Graph g;
  std::vector<Entry> entries;
  const auto put = [&](std::uint32_t i, std::uint32_t j, double x) {
    const std::string name = "a" + std::to_string(i) + std::to_string(j);
    entries.push_back({i, j, g.symbol(name, SymbolKind::other, x)});
    if (i != j) entries.push_back({j, i, g.symbol(name + "t", SymbolKind::other, x)});
  };
  put(0, 0, 2), put(1, 1, 3), put(2, 2, 4), put(1, 2, 1);
  // rows 3 and 4 hold coordinate 0; row 4 holds 1 and 2 as well
  put(0, 3, 1), put(0, 4, 1), put(1, 4, 1), put(2, 4, 1);
  const Matrix A(5, 5, entries);
  const std::vector<std::uint32_t> order = stable_order(A);
  const Factors factors(A, {Elimination::lu, order});
  for (const Expr& pivot : factors.pivots()) EXPECT_GT(std::abs(value(pivot)), 1e-6);
}

}  // namespace
}  // namespace klingel::sym
