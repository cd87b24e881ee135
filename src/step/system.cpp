#include "step/system.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/pack.hpp"
#include "step/partitioned_solver.hpp"
#include "step/pivoting_solver.hpp"

namespace klingel::step {

System::System(const Description& vehicle)
    : active(vehicle.w),
      vehicle_(vehicle),
      pivoting_(std::make_shared<PivotingSolver>(
          vehicle.data.vehicle->functions[vehicle.id.step_matrix].outputs[0],
          vehicle.n + vehicle.w)) {}

System::~System() = default;

PartitionedSolver& System::partition() {
  if (partition_ == nullptr) partition_ = std::make_unique<PartitionedSolver>(vehicle_);
  return *partition_;
}

void System::forget_partition() {
  if (partition_ != nullptr) partition_->known = false;
}

void System::use(KernelSet& k) {
  B_ = k.memory(vehicle_.id.B).data(), b_ = k.memory(vehicle_.id.b).data();
  W_n_ = k.memory(vehicle_.id.W_n).data();
  rhs = k.column(vehicle_.id.rhs), dq_end = k.column(vehicle_.id.dq_end);
}

void System::take_groups(KernelSet& k, std::span<const std::size_t> wheelsets,
                         std::span<const std::size_t> wheels) {
  groups_ = true;
  side_by_side_ = k.put_side_by_side(vehicle_.id.B, B_size, wheelsets) &&
                  k.put_side_by_side(vehicle_.id.b, b_size, wheelsets) &&
                  k.put_side_by_side(vehicle_.id.W_n, 6, wheels);
}

void System::clear(KernelSet& k) {
  use(k);
  puts_ = groups_;
  const std::size_t wheelsets = vehicle_.data.wheelsets.size();
  if (!puts_) std::fill_n(B_, B_size * wheelsets, 0.0), std::fill_n(b_, b_size * wheelsets, 0.0);
}

void System::clear() {
  const std::size_t wheelsets = vehicle_.data.wheelsets.size();
  own_.assign((B_size + b_size) * wheelsets, 0.0);
  B_ = own_.data(), b_ = B_ + B_size * wheelsets, W_n_ = nullptr;
  puts_ = false;
}

void System::give(KernelSet& k, double h, const std::array<double, 3>& tangents) const {
  const KernelIds& id = vehicle_.id;
  if (k.value(id.h)[0] != h) k.set(id.h, 0, h);
  if (!std::equal(tangents.begin(), tangents.end(), k.value(id.tangents).begin()))
    k.set(id.tangents, tangents);
  // seldom another one; zeros and ones are equal if their bytes are
  if (std::memcmp(active.data(), k.value(id.active).data(), vehicle_.w * sizeof(double)) != 0)
    k.set(id.active, active);
  k.changed(std::array{id.B, id.b, id.W_n});
}

void System::give_normals(KernelSet& k) {
  k.set(vehicle_.id.active, active);
  k.changed(vehicle_.id.W_n);
  forget_partition();
}

bool System::solve(KernelSet& k, Coordinates& coordinates, StepLog& log) {
  // the smallest pivots are those of the constraints, near h over the mass on a wheel
  constexpr double smallest_pivot = 1e-14;
  const std::size_t unknowns = vehicle_.n + vehicle_.w;
  x = k.evaluate_column(vehicle_.id.solve);
  const double pivot = x[unknowns];
  by_pivoting = !(pivot > smallest_pivot && coordinates.has_finite_solution(k));
  if (!by_pivoting) return true;
  log.note(Event::Kind::fallback, 0, pivot);
  const std::span<const double> values = k.evaluate(vehicle_.id.step_matrix);
  if (!pivoting_->solve(values, k.value(vehicle_.id.rhs))) return false;
  const std::span<const double> solution = pivoting_->x();
  x = {solution.data(), 1};
  return std::all_of(solution.begin(), solution.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace klingel::step
