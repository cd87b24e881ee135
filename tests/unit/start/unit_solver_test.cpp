// Systems of chains of units against a dense decomposition of the whole.
#include "start/unit_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <random>

namespace klingel::start {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

struct Chain {
  MatrixXd A;
  VectorXd b;
  std::vector<std::size_t> unit;

  VectorXd dense(double threshold) const {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
    if (threshold > 0) decomposition.setThreshold(threshold);
    decomposition.compute(A);
    return decomposition.solve(b);
  }
  VectorXd by_units(double threshold) const {
    return least_solution(A.sparseView(), b, unit, threshold);
  }
};

// `rows` for each of `size` columns of a unit, and some that join it to the next.
Chain chain(std::size_t units, Index size, Index rows, Index joints, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto n = static_cast<Index>(units);
  Chain c{MatrixXd::Zero(n * rows + (n - 1) * joints, n * size), {}, {}};
  for (Index u = 0; u < n; ++u) {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < size; ++j) c.A(u * rows + i, u * size + j) = number(random);
    for (Index i = 0; i < joints && u + 1 < n; ++i)
      for (Index j = 0; j < 2 * size; ++j)
        c.A(n * rows + u * joints + i, u * size + j) = number(random);
    for (Index j = 0; j < size; ++j) c.unit.push_back(static_cast<std::size_t>(u));
  }
  c.b = VectorXd(c.A.rows());
  for (double& x : c.b) x = number(random);
  return c;
}

TEST(unit_solver, a_square_chain_has_the_solution_of_the_whole) {
  for (std::uint32_t seed = 1; seed < 6; ++seed) {
    Chain c = chain(6, 7, 7, 0, seed);
    // forces on neighbours by each other's motion
    for (Index u = 0; u + 1 < 6; ++u)
      c.A(7 * u + 2, 7 * (u + 1)) = 0.5, c.A(7 * (u + 1), 7 * u + 2) = -0.5;
    EXPECT_LT((c.by_units(0) - c.dense(0)).norm(), 1e-11 * c.dense(0).norm()) << seed;
  }
}

TEST(unit_solver, least_squares_of_a_chain_are_those_of_the_whole) {
  for (std::uint32_t seed = 1; seed < 6; ++seed) {
    const Chain c = chain(5, 6, 9, 3, seed);
    EXPECT_LT((c.by_units(1e-9) - c.dense(1e-9)).norm(), 1e-12 * c.dense(1e-9).norm()) << seed;
  }
}

// Columns that nothing resists, or only together with others: the least solution.
TEST(unit_solver, what_nothing_resists_is_as_small_as_can_be) {
  for (std::uint32_t seed = 1; seed < 6; ++seed) {
    Chain c = chain(4, 6, 9, 2, seed);
    c.A.col(8).setZero();
    c.A.col(14) = 2 * c.A.col(13);
    // rows of a unit and all that join it to another depend on one direction of both
    c.A.col(23) = c.A.col(18) - c.A.col(21);
    const VectorXd least = c.dense(1e-9);
    EXPECT_LT((c.by_units(1e-9) - least).norm(), 1e-10 * least.norm()) << seed;
    EXPECT_EQ(c.by_units(1e-9)[8], 0) << seed;
  }
}

TEST(unit_solver, fewer_rows_than_columns_leave_the_least_solution) {
  const Chain c = chain(4, 6, 4, 2, 7);
  const VectorXd least = c.dense(1e-9);
  EXPECT_LT((c.by_units(1e-9) - least).norm(), 1e-10 * least.norm());
  EXPECT_LT((c.A * c.by_units(1e-9) - c.b).norm(), 1e-12);
}

}  // namespace
}  // namespace klingel::start
