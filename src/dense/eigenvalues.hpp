// Eigenvalues and singular values of dense matrices, and bases of what a matrix leaves free.
#pragma once

#include <Eigen/Core>

namespace klingel::dense {

// A v = lambda v, one column of vectors for each value. Found is false if A is not finite or the
// iterations did not converge.
struct EigenSystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
  bool found = false;
};
EigenSystem eigen_system(const Eigen::MatrixXd& A);

// K v = lambda M v, K symmetric, M symmetric and positive; the values in rising order.
struct SymmetricSystem {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricSystem symmetric_system(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

// Of a square matrix: largest first, and the right vectors as columns.
struct SingularValues {
  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};
SingularValues singular_values(const Eigen::MatrixXd& A);

// Right and left vector of the smallest singular value of a square matrix.
struct NullVectors {
  Eigen::VectorXcd right, left;
};
NullVectors null_vectors(const Eigen::MatrixXcd& A);

// An orthonormal basis of what is square to the columns of A.
Eigen::MatrixXd complement(const Eigen::MatrixXd& A);
// An orthonormal basis of the x with A x = 0.
Eigen::MatrixXd kernel(const Eigen::MatrixXd& A);

}  // namespace klingel::dense
