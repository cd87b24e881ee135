#include "step/partitioned_solver.hpp"

#include <algorithm>

namespace klingel::step {

namespace {

// loaded treads have no constraints, and need no memory
Eigen::Index size(const Description& vehicle, std::size_t n) {
  return vehicle.data.loaded() ? 0 : static_cast<Eigen::Index>(n);
}

}  // namespace

PartitionedSolver::PartitionedSolver(const Description& vehicle)
    : factors(size(vehicle, vehicle.n), size(vehicle, vehicle.w)),
      vehicle_(vehicle),
      active_(vehicle.w),
      Phi_(size(vehicle, vehicle.w), size(vehicle, vehicle.n)),
      J_(vehicle.data.loaded() ? 0 : static_cast<Eigen::Index>(9 * vehicle.data.wheelsets.size()),
         Phi_.cols()),
      A_(Phi_.cols(), Phi_.cols()),
      f_(Phi_.cols()),
      g_(Phi_.rows()),
      dq_(Phi_.cols()),
      lambda_(Phi_.rows()),
      x_(Phi_.cols() + Phi_.rows()) {}

void PartitionedSolver::set_row(std::size_t wheel, const std::array<double, 6>& W, bool on) {
  active_[wheel] = on ? 1 : 0;
  const auto first = static_cast<Eigen::Index>(9 * vehicle_.data.wheels[wheel].wheelset);
  Phi_.row(static_cast<Eigen::Index>(wheel)).setZero();
  if (!on) return;
  for (Eigen::Index k = 0; k < 6; ++k)
    Phi_.row(static_cast<Eigen::Index>(wheel)) +=
        W[static_cast<std::size_t>(k)] * J_.row(first + k);
}

bool PartitionedSolver::solve(KernelSet& k, runtime::Column<const double>& x) {
  const std::size_t n = vehicle_.n, w = vehicle_.w;
  runtime::evaluate_dense(k, vehicle_.id.step_matrix, A_);
  if (!A_.allFinite()) return false;
  const std::span<const double> rhs = k.value(vehicle_.id.rhs);
  std::copy_n(rhs.begin(), n, f_.data());
  std::copy_n(rhs.begin() + static_cast<std::ptrdiff_t>(n), w, g_.data());
  if (!factors.solve(A_, k.value(vehicle_.id.h)[0], f_, g_, dq_, lambda_)) return false;
  x_ << dq_, lambda_;
  x = {x_.data(), 1};
  return true;
}

bool PartitionedSolver::correct(const KernelSet& k, const runtime::Column<double>& target) {
  const std::span<const double> rhs = k.value(vehicle_.id.rhs);
  std::copy_n(rhs.begin() + static_cast<std::ptrdiff_t>(vehicle_.n), vehicle_.w, g_.data());
  factors.solve_dependent(g_, dq_);
  if (!dq_.allFinite()) return false;
  for (std::size_t i = 0; i < vehicle_.n; ++i) target[i] += dq_[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace klingel::step
