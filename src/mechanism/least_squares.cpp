#include "mechanism/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace klingel::mechanism {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void orthogonalise(Eigen::Ref<MatrixXd> B, Eigen::Ref<MatrixXd> rotations) {
  const Index m = B.cols();
  const auto rotate = [](Eigen::Ref<MatrixXd> A, Index i, Index j, double cosine, double sine) {
    for (Index k = 0; k < A.rows(); ++k) {
      const double a = A(k, i), b = A(k, j);
      A(k, i) = cosine * a - sine * b;
      A(k, j) = sine * a + cosine * b;
    }
  };
  const double negligible = B.squaredNorm() * 1e-32;  // products of columns that are only rounding
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < 60; ++sweep) {
    rotated = false;
    for (Index i = 0; i < m; ++i) {
      for (Index j = i + 1; j < m; ++j) {
        const double a = B.col(i).squaredNorm(), b = B.col(j).squaredNorm();
        const double c = B.col(i).dot(B.col(j));
        if (std::abs(c) <= 1e-15 * std::sqrt(a * b) || std::abs(c) <= negligible) continue;
        rotated = true;
        const double zeta = (b - a) / (2 * c);
        const double tangent = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
        const double cosine = 1 / std::hypot(1, tangent);
        rotate(B, i, j, cosine, cosine * tangent);
        rotate(rotations, i, j, cosine, cosine * tangent);
      }
    }
  }
}

// the columns of A^T, made orthogonal, are V diag(sigma), and the rotations are U
SingularValues::SingularValues(const MatrixXd& A) {
  const Index m = A.rows();
  MatrixXd B = A.transpose(), rotations = MatrixXd::Identity(m, m);
  orthogonalise(B, rotations);
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), Index{0});
  const VectorXd norms = B.colwise().norm();
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return norms(i) > norms(j); });
  U.resize(m, m);
  V.setZero(A.cols(), m);
  sigma.resize(m);
  for (Index k = 0; k < m; ++k) {
    const Index i = order[static_cast<std::size_t>(k)];
    U.col(k) = rotations.col(i);
    sigma(k) = norms(i);
    if (norms(i) > 0) V.col(k) = B.col(i) / norms(i);
  }
}

Index SingularValues::rank(double tolerance) const {
  Index r = 0;
  while (r < sigma.size() && sigma(r) > 0 && sigma(r) > tolerance * sigma(0)) ++r;
  return r;
}

VectorXd SingularValues::solve(const VectorXd& b, double damping, double tolerance) const {
  VectorXd x = VectorXd::Zero(V.rows());
  const Index r = rank(tolerance);
  for (Index k = 0; k < r; ++k)
    x += (sigma(k) * U.col(k).dot(b) / (sigma(k) * sigma(k) + damping)) * V.col(k);
  return x;
}

}  // namespace klingel::mechanism
