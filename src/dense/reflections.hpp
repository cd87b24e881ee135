// Orthogonal factors of dense matrices, by Householder's reflections.
#pragma once

#include <Eigen/Core>

namespace klingel::dense {

// R of A = Q R, square; A has at least as many rows as columns.
Eigen::MatrixXd upper_factor(const Eigen::MatrixXd& A);

// A P = Q R with pivots of columns: column k of R belongs to column order[k] of A. `rest` becomes
// Q^T rest.
struct PivotedFactors {
  Eigen::MatrixXd R;  // below the diagonal stand other numbers
  Eigen::VectorXi order;
};
PivotedFactors reduce_with_pivots(const Eigen::MatrixXd& A, Eigen::MatrixXd& rest);

}  // namespace klingel::dense
