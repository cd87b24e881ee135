#include "stability/eigenvalue_change.hpp"

#include <cmath>

#include "dense/eigenvalues.hpp"

namespace klingel::stability {
namespace {

using Complex = std::complex<double>;
using Eigen::Index, Eigen::MatrixXcd;

MatrixXcd augmented(const SmallMotions& s, Complex lambda) {
  const Index n = s.M.rows(), c = s.Phi.rows(), m = s.g_x.rows();
  MatrixXcd P = MatrixXcd::Zero(n + c + m, n + c + m);
  P.topLeftCorner(n, n) = lambda * lambda * s.M - lambda * s.C - s.K;
  P.block(0, n, n, c) = -s.G.cast<Complex>();
  P.block(n, 0, c, n) = s.Phi.cast<Complex>();
  if (m == 0) return P;
  P.topRightCorner(n, m) = -s.F_x.cast<Complex>();
  P.bottomLeftCorner(m, n) = -(s.g_z + lambda * s.g_v);
  P.bottomRightCorner(m, m) = -s.g_x.cast<Complex>();
  P.bottomRightCorner(m, m).diagonal().array() += lambda;
  return P;
}

}  // namespace

EigenvalueChange::EigenvalueChange(const SmallMotions& s, Complex lambda) : lambda_(lambda) {
  // rows and columns of one size, so that the smallest singular value is that of the mode
  const MatrixXcd P = augmented(s, lambda);
  const Eigen::VectorXd rows = P.rowwise().norm().cwiseInverse();
  const MatrixXcd scaled = rows.asDiagonal() * P;
  const Eigen::VectorXd columns = scaled.colwise().norm().cwiseInverse();
  const dense::NullVectors null = dense::null_vectors(scaled * columns.asDiagonal());
  right_ = columns.asDiagonal() * null.right;
  left_ = rows.asDiagonal() * null.left;
  const Index n = s.M.rows();
  MatrixXcd by_lambda = MatrixXcd::Zero(P.rows(), P.cols());
  by_lambda.topLeftCorner(n, n) = 2.0 * lambda * s.M - s.C;
  if (const Index m = s.g_x.rows(); m > 0) {
    by_lambda.bottomLeftCorner(m, n) = -s.g_v.cast<Complex>();
    by_lambda.bottomRightCorner(m, m).diagonal().setOnes();
  }
  weight_ = left_.dot(by_lambda * right_);
}

Complex EigenvalueChange::of(const SmallMotions& up, const SmallMotions& down, double step) const {
  return -left_.dot((augmented(up, lambda_) - augmented(down, lambda_)) * right_) /
         (step * weight_);
}

SmallMotions motions_at(SteadyMotion& motion, double speed) {
  motion.settle(speed);
  return motion.small_motions();
}

std::vector<Complex> eigenvalue_derivatives(SteadyMotion& motion, double speed, Complex lambda,
                                            const std::vector<std::size_t>& parameters,
                                            double small) {
  const EigenvalueChange change(motions_at(motion, speed), lambda);
  std::vector<Complex> list;
  for (const std::size_t i : parameters) {
    const double value = motion.parameter(i);
    const double step = value != 0 ? 1e-4 * std::abs(value) : small;
    motion.set_parameter(i, value + step);
    const SmallMotions up = motions_at(motion, speed);
    motion.set_parameter(i, value - step);
    const SmallMotions down = motions_at(motion, speed);
    list.push_back(change.of(up, down, 2 * step));
    motion.set_parameter(i, value);
  }
  motion.settle(speed);
  return list;
}

}  // namespace klingel::stability
