// A sparse matrix as kernels give it, for Eigen: the first output of a function, evaluated. The
// values are the kernels' own, and stay until they are evaluated again.
#pragma once

#include <Eigen/SparseCore>

#include "runtime/kernel_set.hpp"

namespace klingel::runtime {

using SparseMap = Eigen::Map<const Eigen::SparseMatrix<double>>;

inline SparseMap evaluate_sparse(KernelSet& kernels, std::uint32_t function) {
  const klingel_output& o = kernels.abi().functions[function].outputs[0];
  // Eigen counts with signs; no matrix has 2^31 entries
  return {static_cast<Eigen::Index>(o.rows),   static_cast<Eigen::Index>(o.cols),
          static_cast<Eigen::Index>(o.size),   reinterpret_cast<const int*>(o.col_start),
          reinterpret_cast<const int*>(o.row), kernels.evaluate(function).data()};
}

}  // namespace klingel::runtime
