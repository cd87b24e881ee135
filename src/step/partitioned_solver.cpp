#include "step/partitioned_solver.hpp"

#include <algorithm>

#include "runtime/dense_matrix.hpp"

namespace klingel::step {

PartitionedSolver::PartitionedSolver(const Description& vehicle)
    : factors(static_cast<Eigen::Index>(vehicle.n), static_cast<Eigen::Index>(vehicle.w)),
      vehicle_(vehicle),
      active_(vehicle.w),
      Phi_(static_cast<Eigen::Index>(vehicle.w), static_cast<Eigen::Index>(vehicle.n)),
      A_(Phi_.cols(), Phi_.cols()),
      f_(Phi_.cols()),
      g_(Phi_.rows()),
      dq_(Phi_.cols()),
      lambda_(Phi_.rows()),
      x_(Phi_.cols() + Phi_.rows()) {}

void PartitionedSolver::set_row(std::span<const double> J, std::size_t wheel,
                                const std::array<double, 6>& W, bool on) {
  const std::size_t rows = 9 * vehicle_.data.wheelsets.size();
  active_[wheel] = on ? 1 : 0;
  for (std::size_t c = 0; c < vehicle_.n; ++c) {
    const double* column = &J[rows * c + 9 * vehicle_.data.wheels[wheel].wheelset];
    double sum = 0;
    for (std::size_t k = 0; k < 6; ++k) sum += W[k] * column[k];
    Phi_(static_cast<Eigen::Index>(wheel), static_cast<Eigen::Index>(c)) = on ? sum : 0;
  }
}

bool PartitionedSolver::solve(KernelSet& k, const std::vector<double>& rhs,
                              std::span<const double>& x) {
  const std::size_t n = vehicle_.n, w = vehicle_.w;
  runtime::evaluate_dense(k, vehicle_.id.step_matrix, A_);
  if (!A_.allFinite()) return false;
  std::copy_n(rhs.begin(), n, f_.data());
  std::copy_n(rhs.begin() + static_cast<std::ptrdiff_t>(n), w, g_.data());
  if (!factors.solve(A_, k.value(vehicle_.id.h)[0], f_, g_, dq_, lambda_)) return false;
  x_ << dq_, lambda_;
  x = {x_.data(), n + w};
  return true;
}

bool PartitionedSolver::correct(const std::vector<double>& rhs, std::span<double> target) {
  std::copy_n(rhs.begin() + static_cast<std::ptrdiff_t>(vehicle_.n), vehicle_.w, g_.data());
  factors.solve_dependent(g_, dq_);
  if (!dq_.allFinite()) return false;
  for (std::size_t i = 0; i < target.size(); ++i) target[i] += dq_[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace klingel::step
