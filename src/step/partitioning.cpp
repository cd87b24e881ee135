#include "step/partitioning.hpp"

namespace klingel::step {

Partitioning::Partitioning(Eigen::Index coordinates, Eigen::Index constraints)
    : n_(coordinates),
      m_(constraints),
      lu_(constraints, coordinates),
      R_(constraints, coordinates),
      A_(coordinates, coordinates),
      W_(coordinates, coordinates),
      K_(coordinates, coordinates),
      e_(coordinates),
      g_(constraints),
      k_(coordinates),
      xi_(coordinates),
      reduced_(coordinates) {
  lu_.setThreshold(rank_tolerance);
}

bool Partitioning::decompose(const Eigen::MatrixXd& Phi, Eigen::Index held) {
  lu_.compute(Phi);
  rank_ = lu_.rank();
  if (rank_ < held) return false;
  auto R = R_.topLeftCorner(rank_, n_ - rank_);
  R = -lu_.matrixLU().topRightCorner(rank_, n_ - rank_);
  factors().triangularView<Eigen::Upper>().solveInPlace(R);
  return true;
}

// g_ <- x_0
void Partitioning::substitute(const Eigen::VectorXd& g) {
  for (Eigen::Index i = 0; i < m_; ++i) g_[lu_.permutationP().indices()[i]] = g[i];
  factors().triangularView<Eigen::UnitLower>().solveInPlace(g_.head(rank_));
  factors().triangularView<Eigen::Upper>().solveInPlace(g_.head(rank_));
}

void Partitioning::solve_dependent(const Eigen::VectorXd& g, Eigen::VectorXd& x) {
  substitute(g);
  x.setZero();
  for (Eigen::Index k = 0; k < rank_; ++k) x[coordinate(k)] = g_[k];
}

bool Partitioning::solve(const Eigen::MatrixXd& A, double h, const Eigen::VectorXd& f,
                         const Eigen::VectorXd& g, Eigen::VectorXd& x, Eigen::VectorXd& lambda) {
  const Eigen::Index d = rank_, i = n_ - rank_;
  for (Eigen::Index c = 0; c < n_; ++c) {
    for (Eigen::Index r = 0; r < n_; ++r) A_(r, c) = A(coordinate(r), coordinate(c));
    e_[c] = f[coordinate(c)];
  }
  substitute(g);
  const auto R = R_.topLeftCorner(d, i);

  // the independent velocities; the matrix keeps its size, however many are independent now
  auto W = W_.leftCols(i);
  W = A_.rightCols(i);
  W.noalias() += A_.leftCols(d) * R;
  K_.setIdentity();
  K_.bottomRightCorner(i, i) = W.bottomRows(i);
  K_.bottomRightCorner(i, i).noalias() += R.transpose() * W.topRows(d);
  e_.noalias() -= A_.leftCols(d) * g_.head(d);
  k_.setZero();
  k_.tail(i) = e_.tail(i);
  k_.tail(i).noalias() += R.transpose() * e_.head(d);
  reduced_.compute(K_);
  xi_ = reduced_.solve(k_);

  // what is left of the dependent rows is the multipliers' work
  e_.noalias() -= W * xi_.tail(i);
  lambda.setZero();
  auto l = e_.head(d);
  l /= h;
  factors().transpose().triangularView<Eigen::Lower>().solveInPlace(l);
  factors().transpose().triangularView<Eigen::UnitUpper>().solveInPlace(l);
  for (Eigen::Index r = 0; r < m_; ++r) {
    const Eigen::Index place = lu_.permutationP().indices()[r];
    if (place < d) lambda[r] = e_[place];
  }
  g_.head(d).noalias() += R * xi_.tail(i);
  for (Eigen::Index k = 0; k < n_; ++k) x[coordinate(k)] = k < d ? g_[k] : xi_[k];
  return x.allFinite() && lambda.allFinite();
}

}  // namespace klingel::step
