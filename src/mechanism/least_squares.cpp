#include "mechanism/least_squares.hpp"

#include <Eigen/SVD>

namespace klingel::mechanism {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

SingularValues::SingularValues(const MatrixXd& A) : U(A.rows(), 0), V(A.cols(), 0) {
  if (A.size() == 0 || !A.allFinite()) return;
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  U = svd.matrixU();
  V = svd.matrixV();
  sigma = svd.singularValues();
}

Index SingularValues::rank(double tolerance) const {
  Index r = 0;
  while (r < sigma.size() && sigma(r) > 0 && sigma(r) > tolerance * sigma(0)) ++r;
  return r;
}

VectorXd SingularValues::solve(const VectorXd& b, double damping, double tolerance) const {
  const Index r = rank(tolerance);
  const auto s = sigma.head(r).array();
  const VectorXd along = U.leftCols(r).transpose() * b;
  return V.leftCols(r) * (along.array() * s / (s.square() + damping)).matrix();
}

}  // namespace klingel::mechanism
