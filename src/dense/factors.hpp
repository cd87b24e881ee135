// Triangular factors of dense matrices.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace klingel::dense {

// M = L L^T; none if M is not positive.
std::optional<Eigen::MatrixXd> cholesky(const Eigen::MatrixXd& M);
// L X = B, and L^T X = B.
Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);
Eigen::MatrixXd solve_lower_transposed(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);
// A X = B by pivots of rows, A square and regular.
Eigen::MatrixXd solve_regular(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
// The smallest pivot of a symmetric M = L D L^T.
double smallest_pivot(const Eigen::MatrixXd& M);

Eigen::MatrixXd inverse_upper(const Eigen::MatrixXd& R);
// The x that makes |A x - b| least, A with at least as many rows as columns.
Eigen::VectorXd fit(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd fit(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
// Sizes of the diagonal of R with column pivoting: how many count is the rank.
Eigen::VectorXd pivots(const Eigen::MatrixXd& A);

}  // namespace klingel::dense
