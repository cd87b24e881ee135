#include "dense/least_squares.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace klingel::dense {

using Eigen::MatrixXd, Eigen::VectorXd;

struct LeastSquares::Parts {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
};

LeastSquares::LeastSquares(const MatrixXd& A, double threshold)
    : parts_(std::make_unique<Parts>()) {
  if (threshold > 0) parts_->decomposition.setThreshold(threshold);
  parts_->decomposition.compute(A);
}

LeastSquares::~LeastSquares() = default;

VectorXd LeastSquares::solve(const VectorXd& b) const { return parts_->decomposition.solve(b); }

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return A.fullPivLu().solve(b); }

MatrixXd solve(const MatrixXd& A, const MatrixXd& B) {
  if (B.size() == 0) return MatrixXd(A.cols(), B.cols());
  return A.fullPivLu().solve(B);
}

}  // namespace klingel::dense
