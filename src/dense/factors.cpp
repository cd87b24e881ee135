#include "dense/factors.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

namespace klingel::dense {

using Eigen::MatrixXd, Eigen::VectorXd;

std::optional<MatrixXd> cholesky(const MatrixXd& M) {
  const Eigen::LLT<MatrixXd> llt(M);
  if (llt.info() != Eigen::Success) return std::nullopt;
  return MatrixXd(llt.matrixL());
}

// Eigen's triangular solutions refer to the first element of B, and without a constraint there is
// none.
MatrixXd solve_lower(const MatrixXd& L, const MatrixXd& B) {
  if (B.size() == 0) return B;
  return L.triangularView<Eigen::Lower>().solve(B);
}

MatrixXd solve_lower_transposed(const MatrixXd& L, const MatrixXd& B) {
  if (B.size() == 0) return B;
  return L.transpose().triangularView<Eigen::Upper>().solve(B);
}

MatrixXd solve_regular(const MatrixXd& A, const MatrixXd& B) {
  if (B.size() == 0) return B;
  return A.partialPivLu().solve(B);
}

double smallest_pivot(const MatrixXd& M) { return M.ldlt().vectorD().minCoeff(); }

MatrixXd inverse_upper(const MatrixXd& R) {
  return R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(R.rows(), R.cols()));
}

VectorXd fit(const MatrixXd& A, const VectorXd& b) { return fit(A, MatrixXd(b)); }

MatrixXd fit(const MatrixXd& A, const MatrixXd& B) { return A.householderQr().solve(B); }

VectorXd pivots(const MatrixXd& A) {
  return A.colPivHouseholderQr().matrixR().diagonal().cwiseAbs();
}

}  // namespace klingel::dense
