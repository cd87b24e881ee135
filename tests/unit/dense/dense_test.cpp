// Decompositions behind plain functions: each against what defines it.
#include <gtest/gtest.h>

#include "dense/eigenvalues.hpp"
#include "dense/factors.hpp"
#include "dense/least_squares.hpp"
#include "dense/reflections.hpp"

namespace klingel::dense {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
  MatrixXd A(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      A(i, j) = std::sin(1.7 * double(i * i) + 2.3 * double(j) + double(i * j));
  return A;
}

TEST(least_squares, finds_the_least_solution_where_there_are_many) {
  MatrixXd A = MatrixXd::Zero(2, 3);
  A(0, 0) = 2, A(1, 1) = 1e-12;  // x_1 hardly acts, x_2 not at all
  const VectorXd b = (VectorXd(2) << 6, 1e-12).finished();
  const VectorXd x = LeastSquares(A, 1e-9).solve(b);
  EXPECT_NEAR((x - VectorXd::Unit(3, 0) * 3).norm(), 0, 1e-14);
  EXPECT_NEAR(LeastSquares(A).solve(b)[1], 1, 1e-12);
}

TEST(least_squares, square_systems_are_solved_with_pivots) {
  const MatrixXd A = matrix(6, 6), X = matrix(6, 2);
  EXPECT_NEAR((solve(A, MatrixXd(A * X)) - X).norm(), 0, 1e-12);
  EXPECT_NEAR((solve_regular(A, A * X) - X).norm(), 0, 1e-12);
}

TEST(eigenvalues, satisfy_their_equations) {
  const MatrixXd A = matrix(7, 7);
  const EigenSystem e = eigen_system(A);
  ASSERT_TRUE(e.found);
  EXPECT_NEAR((A * e.vectors - e.vectors * e.values.asDiagonal()).norm(), 0, 1e-12);
  EXPECT_FALSE(eigen_system(MatrixXd::Constant(2, 2, NAN)).found);

  const MatrixXd M = A * A.transpose() + MatrixXd::Identity(7, 7), K = A + A.transpose();
  const SymmetricSystem s = symmetric_system(K, M);
  EXPECT_NEAR((K * s.vectors - M * s.vectors * s.values.asDiagonal()).norm(), 0, 1e-11);
}

TEST(eigenvalues, null_vectors_and_bases_of_what_is_left_free) {
  Eigen::MatrixXcd A = matrix(5, 5).cast<std::complex<double>>();
  A.col(4) = A.col(0) * std::complex<double>(0, 2);
  const NullVectors n = null_vectors(A);
  EXPECT_NEAR((A * n.right).norm(), 0, 1e-13);
  EXPECT_NEAR((n.left.adjoint() * A).norm(), 0, 1e-13);
  EXPECT_NEAR(n.right.norm(), 1, 1e-13);

  const MatrixXd B = matrix(6, 2), Z = complement(B);
  ASSERT_EQ(Z.cols(), 4);
  EXPECT_NEAR((B.transpose() * Z).norm(), 0, 1e-13);
  EXPECT_NEAR((Z.transpose() * Z - MatrixXd::Identity(4, 4)).norm(), 0, 1e-13);
  EXPECT_EQ(complement(MatrixXd(3, 0)), MatrixXd(MatrixXd::Identity(3, 3)));
  EXPECT_NEAR((B.transpose() * kernel(B.transpose())).norm(), 0, 1e-12);
}

TEST(factors, satisfy_their_equations) {
  const MatrixXd A = matrix(6, 4), B = matrix(6, 3);
  const MatrixXd M = A.transpose() * A;
  const std::optional<MatrixXd> L = cholesky(M);
  ASSERT_TRUE(L);
  EXPECT_NEAR((*L * L->transpose() - M).norm(), 0, 1e-12);
  EXPECT_FALSE(cholesky(-M));
  const MatrixXd X = matrix(4, 2);
  EXPECT_NEAR((solve_lower(*L, *L * X) - X).norm(), 0, 1e-11);
  EXPECT_NEAR((solve_lower_transposed(*L, L->transpose() * X) - X).norm(), 0, 1e-11);
  EXPECT_GT(smallest_pivot(M), 0);
  EXPECT_LT(smallest_pivot(-M), 0);

  const MatrixXd R = upper_factor(A);
  EXPECT_NEAR((R.transpose() * R - M).norm(), 0, 1e-12);
  EXPECT_NEAR((R * inverse_upper(R) - MatrixXd::Identity(4, 4)).norm(), 0, 1e-12);
  // what is left is square to the columns
  EXPECT_NEAR((A.transpose() * (A * fit(A, B) - B)).norm(), 0, 1e-12);
  EXPECT_NEAR((A.transpose() * (A * fit(A, VectorXd(B.col(0))) - B.col(0))).norm(), 0, 1e-12);

  MatrixXd dependent(6, 3);
  dependent << A.leftCols(2), A.col(0) + A.col(1);
  EXPECT_LT(pivots(dependent)[2], 1e-14 * pivots(dependent)[0]);
}

// A vehicle without constraints has matrices without columns.
TEST(factors, nothing_is_solved_for_nothing) {
  const MatrixXd A = MatrixXd::Identity(3, 3), none(3, 0);
  for (const MatrixXd& x : {solve_lower(A, none), solve_lower_transposed(A, none),
                            solve_regular(A, none), solve(A, none)}) {
    EXPECT_EQ(x.rows(), 3);
    EXPECT_EQ(x.cols(), 0);
  }
}

}  // namespace
}  // namespace klingel::dense
