// The implicit system of a step by full pivoting, where a pivot of the generated elimination
// vanishes. Slow, and rare.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/abi.h"

namespace klingel::step {

class PivotingSolver {
 public:
  // pattern: the sparse matrix of the system, as kernels give it; it has to stay. Allocates.
  PivotingSolver(const klingel_output& pattern, std::size_t unknowns);

  // x() = matrix^-1 rhs, with the values of the pattern's entries. False if it is singular.
  bool solve(std::span<const double> values, std::span<const double> rhs);
  std::span<const double> x() const { return x_; }

 private:
  // Unknowns that have to do with each other: coaches of a train with explicit couplers one by one.
  struct Block {
    std::vector<std::uint32_t> unknowns;
    Eigen::MatrixXd matrix;
    Eigen::FullPivLU<Eigen::MatrixXd> lu;
    Eigen::VectorXd rhs, x;
  };
  bool solve(Block& block, std::span<const double> values, std::span<const double> rhs);

  const klingel_output& pattern_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> place_;  // of unknowns in their blocks
  std::vector<double> x_;
};

}  // namespace klingel::step
