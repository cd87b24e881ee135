#include "dense/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace klingel::dense {

using Eigen::Index, Eigen::MatrixXcd, Eigen::MatrixXd;

EigenSystem eigen_system(const MatrixXd& A) {
  if (!A.allFinite()) return {};
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues(), solver.eigenvectors(), true};
}

SymmetricSystem symmetric_system(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SingularValues singular_values(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinV);
  return {svd.singularValues(), svd.matrixV()};
}

NullVectors null_vectors(const MatrixXcd& A) {
  const Eigen::JacobiSVD<MatrixXcd, Eigen::HouseholderQRPreconditioner> svd(
      A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixV().rightCols<1>(), svd.matrixU().rightCols<1>()};
}

MatrixXd complement(const MatrixXd& A) {
  const Index n = A.rows();
  if (A.cols() == 0) return MatrixXd::Identity(n, n);
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n, n);
  return Q.rightCols(n - qr.rank());
}

MatrixXd kernel(const MatrixXd& A) { return A.fullPivLu().kernel(); }

}  // namespace klingel::dense
