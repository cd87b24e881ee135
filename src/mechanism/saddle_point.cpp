#include "mechanism/saddle_point.hpp"

#include <algorithm>
#include <cmath>

namespace klingel::mechanism {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Block = Eigen::Ref<MatrixXd>;
using Segment = Eigen::Ref<VectorXd>;

// The lower triangle of A becomes L (unit diagonal, not stored) and D of A = L D L^T. The index of
// the first pivot below the tolerance, or -1.
Index factor_ldlt(Block A, double tolerance) {
  const Index n = A.rows();
  for (Index k = 0; k < n; ++k) {
    const double pivot = A(k, k);
    if (!(pivot > tolerance)) return k;
    const Index rest = n - k - 1;
    A.col(k).tail(rest) /= pivot;
    for (Index j = k + 1; j < n; ++j)
      A.col(j).tail(n - j) -= (A(j, k) * pivot) * A.col(k).tail(n - j);
  }
  return -1;
}

void solve_ldlt(const Eigen::Ref<const MatrixXd>& A, Segment x) {
  const Index n = A.rows();
  for (Index k = 0; k < n; ++k) x.tail(n - k - 1) -= x(k) * A.col(k).tail(n - k - 1);
  for (Index k = 0; k < n; ++k) x(k) /= A(k, k);
  for (Index k = n - 1; k >= 0; --k) x(k) -= A.col(k).tail(n - k - 1).dot(x.tail(n - k - 1));
}

// x <- R11^-1 x and R11^-T x, R11 the upper triangle of the first r rows and columns.
void solve_upper(const MatrixXd& R, Index r, Segment x) {
  for (Index k = r - 1; k >= 0; --k) {
    x(k) /= R(k, k);
    x.head(k) -= x(k) * R.col(k).head(k);
  }
}

void solve_upper_transposed(const MatrixXd& R, Index r, Segment x) {
  for (Index k = 0; k < r; ++k) x(k) = (x(k) - R.col(k).head(k).dot(x.head(k))) / R(k, k);
}

}  // namespace

SaddlePoint::SaddlePoint(Index coordinates, Index constraints)
    : n_(coordinates),
      m_(constraints),
      scale_(n_),
      row_scale_(m_),
      M_(n_, n_),
      JT_(n_, m_),
      qr_(n_, m_),
      svd_(n_, m_, Eigen::ComputeFullV),
      rotated_JT_(n_, m_),
      y_(n_),
      d_(n_),
      g_(m_) {}

template <class Column>
void SaddlePoint::reflect(Index k, Column&& y) const {
  const auto essential = qr_.matrixQR().col(k).tail(n_ - k - 1);
  const double along = qr_.hCoeffs()(k) * (y(k) + essential.dot(y.tail(n_ - k - 1)));
  y(k) -= along;
  y.tail(n_ - k - 1) -= along * essential;
}

template <class Column>
void SaddlePoint::apply_transposed(Column&& y) const {
  for (Index k = 0; k < rank_; ++k) reflect(k, y);
}

void SaddlePoint::apply(VectorXd& y) const {
  for (Index k = rank_ - 1; k >= 0; --k) reflect(k, y);
}

// rank_ and qr_ of the scaled J^T, whose columns are rotated first if asked for
void SaddlePoint::decompose(const MatrixXd& J, Index limit, bool rotate) {
  JT_ = J.transpose();
  for (Index i = 0; i < m_; ++i) {
    JT_.col(i).array() *= scale_.array();
    const double norm = JT_.col(i).stableNorm();
    row_scale_(i) = norm > 0 ? 1 / norm : 1;
    JT_.col(i) *= row_scale_(i);
  }
  rotated_ = rotate;
  if (rotate) {
    svd_.compute(JT_);
    rotated_JT_.noalias() = JT_ * svd_.matrixV();
    JT_ = rotated_JT_;
  }
  qr_.compute(JT_);
  const MatrixXd& R = qr_.matrixQR();
  const double smallest = rank_tolerance * std::abs(R(0, 0));
  rank_ = 0;
  while (rank_ < limit && std::abs(R(rank_, rank_)) > smallest) ++rank_;
}

void SaddlePoint::factor_constraints(const MatrixXd& J, Index most) {
  rank_ = 0;
  rotated_ = false;
  if (m_ == 0 || n_ == 0) return;
  // of dependent constraints none is dropped: which one that is would jump with rounding. They are
  // combined to orthogonal ones, of which the smallest say nothing
  const Index limit = std::min({n_, m_, most});
  decompose(J, limit, limit < m_);
  if (rank_ < m_ && !rotated_) decompose(J, limit, true);
}

bool SaddlePoint::factor(const MatrixXd& M, const MatrixXd& J, Index most) {
  // a coordinate without inertia of its own is scaled like the heaviest
  const double heaviest = n_ > 0 ? M.diagonal().maxCoeff() : 0;
  for (Index j = 0; j < n_; ++j) {
    const double inertia = M(j, j) > 0 ? M(j, j) : heaviest > 0 ? heaviest : 1;
    scale_(j) = 1 / std::sqrt(inertia);
  }
  factor_constraints(J, most);

  // Q^T S M S Q, by columns, then by rows
  for (Index j = 0; j < n_; ++j) {
    M_.col(j).array() = scale_(j) * (M.col(j).array() * scale_.array());
    apply_transposed(M_.col(j));
  }
  for (Index i = 0; rank_ > 0 && i < n_; ++i) apply_transposed(M_.row(i).transpose());

  const Index free = n_ - rank_;
  const Index failed = factor_ldlt(M_.bottomRightCorner(free, free), pivot_tolerance);
  if (failed < 0) return true;
  worst_pivot_ = M_(rank_ + failed, rank_ + failed);
  y_.setZero();
  y_(rank_ + failed) = 1;
  apply(y_);
  y_.cwiseAbs().maxCoeff(&worst_coordinate_);
  return false;
}

// y_1 = R11^-T gamma: what the constraints decide
void SaddlePoint::solve_decided(const VectorXd& gamma) {
  if (rank_ == 0) return;
  const auto& order = qr_.colsPermutation().indices();
  g_.array() = gamma.array() * row_scale_.array();
  for (Index k = 0; k < rank_; ++k)
    y_(k) = rotated_ ? svd_.matrixV().col(order(k)).dot(g_) : g_(order(k));
  solve_upper_transposed(qr_.matrixQR(), rank_, y_.head(rank_));
}

// R11 lambda = d_1, back to the constraints as they were given
void SaddlePoint::solve_multipliers(VectorXd& lambda) {
  lambda.setZero();
  if (rank_ == 0) return;
  const auto& order = qr_.colsPermutation().indices();
  solve_upper(qr_.matrixQR(), rank_, d_.head(rank_));
  for (Index k = 0; k < rank_; ++k) {
    if (rotated_) {
      lambda += d_(k) * svd_.matrixV().col(order(k));
    } else {
      lambda(order(k)) = d_(k);
    }
  }
  lambda.array() *= row_scale_.array();
}

void SaddlePoint::solve(const VectorXd& delta, const VectorXd& gamma, VectorXd& x,
                        VectorXd& lambda) {
  const Index free = n_ - rank_;
  d_.array() = delta.array() * scale_.array();
  apply_transposed(d_);

  solve_decided(gamma);
  // M_22 y_2 = delta_2 - M_21 y_1: the free directions
  y_.tail(free) = d_.tail(free);
  for (Index k = 0; k < rank_; ++k) y_.tail(free) -= y_(k) * M_.col(k).tail(free);
  solve_ldlt(M_.bottomRightCorner(free, free), y_.tail(free));
  // R11 lambda = delta_1 - M_11 y_1 - M_12 y_2
  for (Index k = 0; k < rank_; ++k) d_(k) -= M_.col(k).dot(y_);
  solve_multipliers(lambda);

  apply(y_);
  x.array() = y_.array() * scale_.array();
}

}  // namespace klingel::mechanism
