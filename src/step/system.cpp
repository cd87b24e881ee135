#include "step/system.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/dense_matrix.hpp"

namespace klingel::step {
namespace {

bool is_finite(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return std::isfinite(sum);
}

}  // namespace

System::System(const Description& vehicle)
    : W_n(6 * vehicle.w),
      active(vehicle.w),
      rhs(vehicle.n + vehicle.w),
      dq_end(vehicle.n),
      partition(vehicle),
      vehicle_(vehicle),
      wrenches_(wrench_size * vehicle.data.wheelsets.size()) {
  const auto size = static_cast<Eigen::Index>(rhs.size());
  dense_.resize(size, size);
  pivoting_ = Eigen::FullPivLU<Eigen::MatrixXd>(size, size);
  dense_rhs_.resize(size), dense_x_.resize(size);
}

void System::clear() {
  std::fill(wrenches_.begin(), wrenches_.end(), 0.0);
  std::fill(active.begin(), active.end(), 0.0);
}

void System::give(KernelSet& k, double h, const std::array<double, 3>& tangents) const {
  const KernelIds& id = vehicle_.id;
  k.set(id.h, 0, h);
  k.set(id.tangents, tangents);
  const std::span<double> B = k.memory(id.B), b = k.memory(id.b);
  for (std::size_t i = 0; i < vehicle_.data.wheelsets.size(); ++i) {
    std::copy_n(wrench(i), 36, &B[36 * i]);
    std::copy_n(wrench(i) + 36, 6, &b[6 * i]);
  }
  k.changed(id.B);
  k.changed(id.b);
  k.set(id.W_n, W_n);
  k.set(id.active, active);
}

void System::give_normals(KernelSet& k) {
  k.set(vehicle_.id.active, active);
  k.set(vehicle_.id.W_n, W_n);
  partition.known = false;
}

bool System::solve(KernelSet& k, StepLog& log) {
  // the smallest pivots are those of the constraints, near h over the mass on a wheel
  constexpr double smallest_pivot = 1e-14;
  const std::span<const double> solution = k.evaluate(vehicle_.id.solve);
  x = solution.first(rhs.size());
  const double pivot = solution[rhs.size()];
  if (pivot > smallest_pivot && is_finite(x)) return true;
  log.note(Event::Kind::fallback, 0, pivot);
  runtime::evaluate_dense(k, vehicle_.id.step_matrix, dense_);
  if (!dense_.allFinite()) return false;
  pivoting_.compute(dense_);
  if (!pivoting_.isInvertible()) return false;
  // x = Q U^-1 L^-1 P rhs, by hand because FullPivLU::solve() allocates
  std::copy(rhs.begin(), rhs.end(), dense_rhs_.data());
  dense_x_.noalias() = pivoting_.permutationP() * dense_rhs_;
  pivoting_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(dense_x_);
  pivoting_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(dense_x_);
  dense_rhs_.noalias() = pivoting_.permutationQ() * dense_x_;
  x = {dense_rhs_.data(), rhs.size()};
  return is_finite(x);
}

}  // namespace klingel::step
