// Singular values of small dense matrices (Eigen's), for assembly: rank, and damped solutions of
// the least norm. A type of its own because Eigen's has no damping and accepts no empty matrix.
#pragma once

#include <Eigen/Core>

namespace klingel::mechanism {

// A = U diag(sigma) V^T with as many columns of U and V as A has rows or columns, whichever is
// less; sigma sorted, largest first. An empty matrix, or one that is not finite, has none.
struct SingularValues {
  explicit SingularValues(const Eigen::MatrixXd& A);

  // Singular values above `tolerance` times the largest.
  Eigen::Index rank(double tolerance) const;
  // The x of least norm that makes |A x - b|^2 + damping |x|^2 least; singular values below
  // `tolerance` times the largest count as zero.
  Eigen::VectorXd solve(const Eigen::VectorXd& b, double damping, double tolerance) const;

  Eigen::MatrixXd U, V;
  Eigen::VectorXd sigma;
};

}  // namespace klingel::mechanism
