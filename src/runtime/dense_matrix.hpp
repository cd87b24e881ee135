// A sparse matrix as kernels give it, as a dense one for pivoting solvers. Does not allocate.
#pragma once

#include <Eigen/Core>
#include <span>

#include "runtime/kernel_set.hpp"

namespace klingel::runtime {

// `to` has the shape of the output, or fewer rows and columns: what lies beyond is left out.
inline void fill_dense(const klingel_output& matrix, std::span<const double> values,
                       Eigen::MatrixXd& to) {
  to.setZero();
  for (Eigen::Index column = 0; column < to.cols(); ++column) {
    for (std::uint32_t e = matrix.col_start[column]; e < matrix.col_start[column + 1]; ++e) {
      if (matrix.row[e] < to.rows()) to(matrix.row[e], column) = values[e];
    }
  }
}

// The first output of a function, evaluated.
inline void evaluate_dense(KernelSet& kernels, std::uint32_t function, Eigen::MatrixXd& to) {
  fill_dense(kernels.abi().functions[function].outputs[0], kernels.evaluate(function), to);
}

}  // namespace klingel::runtime
