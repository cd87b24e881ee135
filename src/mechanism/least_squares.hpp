// Singular values of small dense matrices, for assembly: rank, and damped solutions of the least
// norm. One-sided Jacobi rotations: slow for large matrices, accurate for small singular values.
#pragma once

#include <Eigen/Core>

namespace klingel::mechanism {

// Rotates pairs of columns of B until all are orthogonal, and the columns of `rotations` with
// them: B ends as B rotations, if rotations began as the identity. Allocates nothing.
void orthogonalise(Eigen::Ref<Eigen::MatrixXd> B, Eigen::Ref<Eigen::MatrixXd> rotations);

// A = U diag(sigma) V^T; sigma sorted, largest first. Allocates.
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
