// The implicit system of a step for dq(t+h) - dq and the multipliers of rigid treads,
//
//   [ M_qq + h C_qq   h dphi_n_dq^T ] [ dq(t+h) - dq ]   [ impulse ]
//   [ dphi_n_dq             0       ] [ lambda_n     ] = [ rates   ]      [eq:MphiTPhiZero6]
//
// Contacts enter as wrenches b - B u on wheelsets, u the motion of the wheelset at t+h. The
// generated elimination solves it; where one of its pivots vanishes, full pivoting does.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <vector>

#include "step/instant.hpp"
#include "step/partitioned_solver.hpp"
#include "step/step_log.hpp"

namespace klingel::step {

// B by rows and b of a wheelset, rounded up to packs.
inline constexpr std::size_t wrench_size = 44;

class System {
 public:
  explicit System(const Description& vehicle);

  // No contact acts; wrench() is then added to.
  void clear();
  double* wrench(std::size_t wheelset) { return &wrenches_[wrench_size * wheelset]; }
  const double* wrench(std::size_t wheelset) const { return &wrenches_[wrench_size * wheelset]; }

  // Gives the kernels what was collected. tangents: weights of the tangents of stiff elements.
  void give(KernelSet& kernels, double h, const std::array<double, 3>& tangents) const;
  // The same for normals and active constraints alone, when contacts have moved far.
  void give_normals(KernelSet& kernels);

  // x = matrix^-1 rhs, with rhs given to the kernels before. False if there is no finite solution.
  bool solve(KernelSet& kernels, StepLog& log);

  std::vector<double> W_n, active;  // by wheel: wrench of a unit force, 1 if its constraint holds
  std::vector<double> rhs;          // right side: of coordinates, then of wheels
  std::span<const double> x;        // solution
  std::vector<double> dq_end;       // dq(t+h) before projections
  std::span<const double> twists_end;  // v_C, w_total of each wheelset with dq_end
  PartitionedSolver partition;         // for LinearMethod::partitioning

 private:
  const Description& vehicle_;
  std::vector<double> wrenches_;
  // for the pivoting elimination
  Eigen::MatrixXd dense_;
  Eigen::FullPivLU<Eigen::MatrixXd> pivoting_;
  Eigen::VectorXd dense_rhs_, dense_x_;
};

}  // namespace klingel::step
