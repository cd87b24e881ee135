// Coordinate partitioning, the article's way through its linear systems. LU with full pivoting of
// the Jacobian of the constraints,
//
//   P Phi Q = L [U_d U_i],
//
// chooses the dependent coordinates d (those of the pivots) and leaves the others independent:
//
//   Phi x = g   <=>   x_d = R x_i + x_0,   R = -U_d^-1 U_i,  U_d x_0 = L^-1 P g.
//
// The implicit step [eq:MphiTPhiZero6] is then a system of the independent velocities alone, and a
// projection changes dependent coordinates only. Dense; all memory is taken in the constructor.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

namespace klingel::step {

class Partitioning {
 public:
  Partitioning(Eigen::Index coordinates, Eigen::Index constraints);

  // A constraint is independent when its pivot is at least this part of the largest one.
  static constexpr double rank_tolerance = 1e-10;

  // Phi is constraints x coordinates; rows that are zero are constraints that do not hold now.
  // False if fewer than `held` are independent; what is factored is then of no use.
  bool decompose(const Eigen::MatrixXd& Phi, Eigen::Index held);
  Eigen::Index rank() const { return rank_; }
  // The coordinate that depends by the k-th pivot, k < rank(); the independent ones follow.
  Eigen::Index coordinate(Eigen::Index k) const { return lu_.permutationQ().indices()[k]; }

  // [A  h Phi^T; Phi  0] [x; lambda] = [f; g] with the Phi of decompose(). Multipliers of zero rows
  // are zero. False if the solution is not finite.
  bool solve(const Eigen::MatrixXd& A, double h, const Eigen::VectorXd& f, const Eigen::VectorXd& g,
             Eigen::VectorXd& x, Eigen::VectorXd& lambda);

  // Phi x = g with independent coordinates zero.
  void solve_dependent(const Eigen::VectorXd& g, Eigen::VectorXd& x);

 private:
  auto factors() const { return lu_.matrixLU().topLeftCorner(rank_, rank_); }
  void substitute(const Eigen::VectorXd& g);

  Eigen::Index n_, m_, rank_ = 0;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  Eigen::MatrixXd R_;       // rank x (n - rank) in its corner
  Eigen::MatrixXd A_;       // rows and columns in the order of the pivots
  Eigen::MatrixXd W_, K_;   // A [R; I], and the system of the independent coordinates
  Eigen::VectorXd e_, g_;   // right-hand side in that order; P g, then x_0
  Eigen::VectorXd k_, xi_;  // of the reduced system
  Eigen::PartialPivLU<Eigen::MatrixXd> reduced_;
};

}  // namespace klingel::step
