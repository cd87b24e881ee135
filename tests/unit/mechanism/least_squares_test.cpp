// Singular values: the matrix comes back, rank is found, solutions have the least norm.
#include "mechanism/least_squares.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace klingel::mechanism {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(unsigned seed, Index rows, Index cols) {
  std::mt19937 engine(seed);
  return MatrixXd::NullaryExpr(rows, cols,
                               [&] { return static_cast<double>(engine()) / 2147483648.0 - 1; });
}

TEST(singular_values, give_the_matrix_back) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {3, 7}, {7, 3}, {5, 5}, {4, 0}}) {
    const MatrixXd A = random_matrix(7, rows, cols);
    const SingularValues s(A);
    EXPECT_LT((s.U * s.sigma.asDiagonal() * s.V.transpose() - A).norm(), 1e-14 * (1 + A.norm()));
    const Index less = std::min(rows, cols);
    EXPECT_LT((s.U.transpose() * s.U - MatrixXd::Identity(less, less)).norm(), 1e-13);
    for (Index i = 1; i < less; ++i) EXPECT_GE(s.sigma(i - 1), s.sigma(i));
    EXPECT_EQ(s.rank(1e-10), less);
  }
}

TEST(singular_values, find_the_rank_of_dependent_rows) {
  MatrixXd A = random_matrix(8, 5, 9);
  A.row(3) = A.row(0) - 2 * A.row(1);
  A.row(4).setZero();
  EXPECT_EQ(SingularValues(A).rank(1e-10), 3);
  EXPECT_EQ(SingularValues(MatrixXd::Zero(3, 4)).rank(1e-10), 0);
}

TEST(singular_values, of_an_empty_matrix_solve_nothing) {
  const SingularValues s(MatrixXd(3, 0));
  EXPECT_EQ(s.solve(VectorXd::Ones(3), 0, 1e-12).size(), 0);
  const SingularValues t(MatrixXd(0, 3));
  EXPECT_EQ(t.solve(VectorXd(0), 0, 1e-12), VectorXd::Zero(3));
}

TEST(singular_values, of_a_matrix_that_is_not_finite_are_none) {
  MatrixXd A = random_matrix(9, 3, 3);
  A(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(SingularValues(A).rank(1e-10), 0);
  EXPECT_EQ(SingularValues(A).solve(VectorXd::Ones(3), 0, 1e-12), VectorXd::Zero(3));
}

TEST(singular_values, small_ones_are_accurate) {
  // diag(1, 1e-9) turned by a rotation on both sides
  const double c = std::cos(0.3), s = std::sin(0.3);
  MatrixXd Q(2, 2);
  Q << c, -s, s, c;
  const MatrixXd A = Q * VectorXd(Eigen::Vector2d(1, 1e-9)).asDiagonal() * Q;
  EXPECT_NEAR(SingularValues(A).sigma(1), 1e-9, 1e-15);
}

TEST(singular_values, solve_with_the_least_norm_and_damping) {
  MatrixXd A(1, 2);
  A << 3, 4;
  const SingularValues s(A);
  const VectorXd x = s.solve(VectorXd::Constant(1, 25), 0, 1e-12);
  EXPECT_NEAR(x(0), 3, 1e-14);
  EXPECT_NEAR(x(1), 4, 1e-14);
  // damping 25 = sigma^2 halves it
  EXPECT_NEAR(s.solve(VectorXd::Constant(1, 25), 25, 1e-12)(0), 1.5, 1e-14);
}

}  // namespace
}  // namespace klingel::mechanism
