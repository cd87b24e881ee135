#include "dense/least_squares.hpp"

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

MatrixXd solve(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd X(A.cols(), B.cols());
  if (B.size() == 0) return X;
  const LeastSquares least(A);
  for (Eigen::Index j = 0; j < B.cols(); ++j) X.col(j) = least.solve(B.col(j));
  return X;
}

}  // namespace klingel::dense
