#include "dense/reflections.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace klingel::dense {

using Eigen::MatrixXd;

MatrixXd upper_factor(const MatrixXd& A) {
  return A.householderQr().matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>();
}

PivotedFactors reduce_with_pivots(const MatrixXd& A, MatrixXd& rest) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  rest.applyOnTheLeft(qr.householderQ().setLength(std::min(A.rows(), A.cols())).adjoint());
  return {qr.matrixR(), qr.colsPermutation().indices()};
}

}  // namespace klingel::dense
