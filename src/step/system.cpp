#include "step/system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/pack.hpp"

namespace klingel::step {
namespace {

// One look at all numbers: a sum with a NaN or an infinity is not finite.
bool is_finite(std::span<const double> values) {
  base::Pack four{};
  std::size_t i = 0;
  for (; i + base::pack_lanes <= values.size(); i += base::pack_lanes)
    four += base::load(&values[i]);
  double sum = (four[0] + four[1]) + (four[2] + four[3]);
  for (; i < values.size(); ++i) sum += values[i];
  return std::isfinite(sum);
}

}  // namespace

System::System(const Description& vehicle)
    : active(vehicle.w),
      rhs(vehicle.n + vehicle.w),
      dq_end(vehicle.n),
      vehicle_(vehicle),
      pivoting_(std::make_shared<Pivoting>(matrix(), rhs.size())) {}

const klingel_output& System::matrix() const {
  return vehicle_.data.vehicle->functions[vehicle_.id.step_matrix].outputs[0];
}

System::Pivoting::Pivoting(const klingel_output& A, std::size_t unknowns)
    : place(unknowns), x(unknowns) {
  const auto size = static_cast<std::uint32_t>(unknowns);
  // the least unknown of those that are connected, by way of others
  std::vector<std::uint32_t> least(size);
  std::iota(least.begin(), least.end(), 0u);
  const auto first_of = [&](std::uint32_t i) {
    while (least[i] != i) i = least[i] = least[least[i]];
    return i;
  };
  for (std::uint32_t c = 0; c < size; ++c) {
    for (std::uint32_t e = A.col_start[c]; e < A.col_start[c + 1]; ++e) {
      const std::uint32_t a = first_of(c), b = first_of(A.row[e]);
      least[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::size_t> number(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t first = first_of(i);
    if (first == i) number[i] = blocks.size(), blocks.emplace_back();
    std::vector<std::uint32_t>& members = blocks[number[first]].unknowns;
    place[i] = static_cast<std::uint32_t>(members.size());
    members.push_back(i);
  }
  for (Block& block : blocks) {
    const auto n = static_cast<Eigen::Index>(block.unknowns.size());
    block.matrix.resize(n, n);
    block.lu = Eigen::FullPivLU<Eigen::MatrixXd>(n, n);
    block.rhs.resize(n), block.x.resize(n);
  }
}

PartitionedSolver& System::partition() {
  if (partition_ == nullptr) partition_ = std::make_unique<PartitionedSolver>(vehicle_);
  return *partition_;
}

bool System::solve(Block& block, std::span<const double> values) {
  const klingel_output& A = matrix();
  block.matrix.setZero();
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
    const std::uint32_t c = block.unknowns[k];
    for (std::uint32_t e = A.col_start[c]; e < A.col_start[c + 1]; ++e)
      block.matrix(pivoting_->place[A.row[e]], static_cast<Eigen::Index>(k)) = values[e];
    block.rhs[static_cast<Eigen::Index>(k)] = rhs[c];
  }
  if (!block.matrix.allFinite()) return false;
  block.lu.compute(block.matrix);
  if (!block.lu.isInvertible()) return false;
  // x = Q U^-1 L^-1 P rhs, by hand because FullPivLU::solve() allocates
  block.x.noalias() = block.lu.permutationP() * block.rhs;
  block.lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(block.x);
  block.lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(block.x);
  block.rhs.noalias() = block.lu.permutationQ() * block.x;
  for (std::size_t k = 0; k < block.unknowns.size(); ++k)
    pivoting_->x[block.unknowns[k]] = block.rhs[static_cast<Eigen::Index>(k)];
  return true;
}

void System::clear(KernelSet& k) {
  const std::span<double> B = k.memory(vehicle_.id.B), b = k.memory(vehicle_.id.b);
  std::fill(B.begin(), B.end(), 0.0);
  std::fill(b.begin(), b.end(), 0.0);
  B_ = B.data(), b_ = b.data(), W_n_ = k.memory(vehicle_.id.W_n).data();
  std::fill(active.begin(), active.end(), 0.0);
}

void System::clear() {
  const std::size_t wheelsets = vehicle_.data.wheelsets.size();
  own_.assign((B_size + b_size) * wheelsets, 0.0);
  B_ = own_.data(), b_ = B_ + B_size * wheelsets, W_n_ = nullptr;
}

void System::give(KernelSet& k, double h, const std::array<double, 3>& tangents) const {
  const KernelIds& id = vehicle_.id;
  if (k.value(id.h)[0] != h) k.set(id.h, 0, h);
  if (!std::equal(tangents.begin(), tangents.end(), k.value(id.tangents).begin()))
    k.set(id.tangents, tangents);
  k.set(id.active, active);
  k.changed(id.B);
  k.changed(id.b);
  k.changed(id.W_n);
}

void System::give_normals(KernelSet& k) {
  k.set(vehicle_.id.active, active);
  k.changed(vehicle_.id.W_n);
  forget_partition();
}

bool System::solve(KernelSet& k, StepLog& log) {
  // the smallest pivots are those of the constraints, near h over the mass on a wheel
  constexpr double smallest_pivot = 1e-14;
  const std::span<const double> solution = k.evaluate(vehicle_.id.solve);
  x = solution.first(rhs.size());
  const double pivot = solution[rhs.size()];
  if (pivot > smallest_pivot && is_finite(x)) return true;
  log.note(Event::Kind::fallback, 0, pivot);
  const std::span<const double> values = k.evaluate(vehicle_.id.step_matrix);
  for (Block& block : pivoting_->blocks)
    if (!solve(block, values)) return false;
  x = pivoting_->x;
  return is_finite(x);
}

}  // namespace klingel::step
