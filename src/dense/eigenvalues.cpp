#include "dense/eigenvalues.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "dense/factors.hpp"

namespace klingel::dense {

using Eigen::Index, Eigen::MatrixXcd, Eigen::MatrixXd;

EigenSystem eigen_system(const MatrixXd& A) {
  if (!A.allFinite()) return {};
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues(), solver.eigenvectors(), true};
}

// Eigen has a solver for this, too, with two other problems in it that would be compiled
SymmetricSystem symmetric_system(const MatrixXd& K, const MatrixXd& M) {
  const MatrixXd L = Eigen::LLT<MatrixXd>(M).matrixL();
  const MatrixXd half = solve_lower(L, K);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(solve_lower(L, half.transpose()));
  return {solver.eigenvalues(), solve_lower_transposed(L, solver.eigenvectors())};
}

// of square matrices only, which need no QR before the rotations
using Svd = Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner>;

SingularValues singular_values(const MatrixXd& A) {
  const Svd svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

// A = X + i Y acts on real and imaginary parts like [ X -Y; Y X ], which has each singular value
// twice: complex decompositions would take long to compile
NullVectors null_vectors(const MatrixXcd& A) {
  const Index n = A.rows();
  MatrixXd real(2 * n, 2 * n);
  real << A.real(), -A.imag(), A.imag(), A.real();
  const Svd svd(real, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto last = [n](const MatrixXd& vectors) {
    Eigen::VectorXcd v(n);
    v.real() = vectors.rightCols<1>().head(n);
    v.imag() = vectors.rightCols<1>().tail(n);
    return v;
  };
  return {last(svd.matrixV()), last(svd.matrixU())};
}

MatrixXd complement(const MatrixXd& A) {
  const Index n = A.rows();
  if (A.cols() == 0) return MatrixXd::Identity(n, n);
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n, n);
  return Q.rightCols(n - qr.rank());
}

MatrixXd kernel(const MatrixXd& A) { return complement(A.transpose()); }

}  // namespace klingel::dense
