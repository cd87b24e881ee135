#include "step/pivoting_solver.hpp"

#include <algorithm>
#include <numeric>

namespace klingel::step {

PivotingSolver::PivotingSolver(const klingel_output& A, std::size_t unknowns)
    : pattern_(A), place_(unknowns), x_(unknowns) {
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
    if (first == i) number[i] = blocks_.size(), blocks_.emplace_back();
    std::vector<std::uint32_t>& members = blocks_[number[first]].unknowns;
    place_[i] = static_cast<std::uint32_t>(members.size());
    members.push_back(i);
  }
  for (Block& block : blocks_) {
    const auto n = static_cast<Eigen::Index>(block.unknowns.size());
    block.matrix.resize(n, n);
    block.lu = Eigen::FullPivLU<Eigen::MatrixXd>(n, n);
    block.rhs.resize(n), block.x.resize(n);
  }
}

bool PivotingSolver::solve(std::span<const double> values, std::span<const double> rhs) {
  for (Block& block : blocks_)
    if (!solve(block, values, rhs)) return false;
  return true;
}

bool PivotingSolver::solve(Block& block, std::span<const double> values,
                           std::span<const double> rhs) {
  const klingel_output& A = pattern_;
  block.matrix.setZero();
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
    const std::uint32_t c = block.unknowns[k];
    for (std::uint32_t e = A.col_start[c]; e < A.col_start[c + 1]; ++e)
      block.matrix(place_[A.row[e]], static_cast<Eigen::Index>(k)) = values[e];
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
    x_[block.unknowns[k]] = block.rhs[static_cast<Eigen::Index>(k)];
  return true;
}

}  // namespace klingel::step
