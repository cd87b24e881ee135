// The linear system of a constrained mechanism,
//
//   [ M   J^T ] [ x      ]   [ delta ]
//   [ J    0  ] [ lambda ] = [ gamma ]      [eq:MphiTPhiZero4]
//
// by the null space of J: a column-pivoted Householder QR of J^T splits the directions into those
// the constraints decide and those that are free, and the mass matrix is factored (LDL^T) on the
// free ones only. So M may be singular as long as the constraints hold what has no inertia (Euler
// parameters, massless links). Constraints may be redundant: then they are first combined to
// orthogonal ones by rotations (the singular value decomposition of J), and those that vanish are
// left out. Without constraints this is plain LDL^T. Dense, sizes fixed in the constructor,
// nothing allocated later.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <span>

namespace klingel::mechanism {

class SaddlePoint {
 public:
  SaddlePoint(Eigen::Index coordinates, Eigen::Index constraints);

  // Coordinates are scaled to a unit diagonal of M, then constraints to unit rows of J; a
  // constraint is independent when its pivot is at least this part of the largest one.
  static constexpr double rank_tolerance = 1e-10;
  // Smallest pivot of the scaled M that counts as inertia.
  static constexpr double pivot_tolerance = 1e-13;

  // M and J must be finite. At most `most` constraints count as independent: a step away from
  // phi = 0, redundant constraints contradict each other a little, and their numerical rank is too
  // high. False if a free direction has no inertia: worst_coordinate()
  // moves most in it, worst_pivot() is its pivot.
  bool factor(const Eigen::MatrixXd& M, const Eigen::MatrixXd& J, Eigen::Index most);
  Eigen::Index rank() const { return rank_; }
  Eigen::Index worst_coordinate() const { return worst_coordinate_; }
  double worst_pivot() const { return worst_pivot_; }

  // After factor(). Dependent constraints are met in the sense of least squares, and lambda has the
  // least sum of squares of the scaled constraint forces, so that equal constraints carry equal
  // loads.
  void solve(const Eigen::VectorXd& delta, const Eigen::VectorXd& gamma, Eigen::VectorXd& x,
             Eigen::VectorXd& lambda);

 private:
  void decompose(const Eigen::MatrixXd& J, Eigen::Index limit, bool rotate);
  void factor_constraints(const Eigen::MatrixXd& J, Eigen::Index most);
  // y <- Q^T y, y <- Q y with Q of the first rank_ reflections.
  template <class Column>
  void reflect(Eigen::Index k, Column&& y) const;
  template <class Column>
  void apply_transposed(Column&& y) const;
  void apply(Eigen::VectorXd& y) const;
  void solve_decided(const Eigen::VectorXd& gamma);
  void solve_multipliers(Eigen::VectorXd& lambda);

  Eigen::Index n_, m_, rank_ = 0, worst_coordinate_ = 0;
  double worst_pivot_ = 0;
  Eigen::VectorXd scale_;      // of coordinates
  Eigen::VectorXd row_scale_;  // of constraints
  Eigen::MatrixXd M_;          // scaled Q^T M Q; the free block holds its LDL^T
  Eigen::MatrixXd JT_;         // scaled
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  bool rotated_ = false;  // constraints are combined to orthogonal ones, by V of this
  Eigen::JacobiSVD<Eigen::MatrixXd> svd_;
  Eigen::MatrixXd rotated_JT_;
  Eigen::VectorXd y_, d_, g_;  // work
};

}  // namespace klingel::mechanism
