// Base parameters in general, by numbers: a column of the regressor that depends on others at all
// states tells parameters that only act together. W = Y at random states, column scaled, by QR with
// column pivoting for the rank; the independent columns p_1 are then the first ones in the given
// order, and
//
//   p_b = p_1 + B p_2,   W_2 = W_1 B
//
// This needs no tree: for closed loops rows are projected on the motions the constraints allow.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "reduce/inertias.hpp"

namespace klingel::reduce {

struct BaseParameter {
  std::size_t column;                                    // of p_1
  std::vector<std::pair<std::size_t, double>> together;  // columns of p_2 and their factors
};

struct BaseParameters {
  std::vector<BaseParameter> base;
  std::vector<std::size_t> without_effect;  // columns that are zero
  double gap = 0;  // smallest singular value that counts over the largest that does not
};

BaseParameters base_parameters(const Eigen::MatrixXd& W);

// "J_xx(link3) - J_yy(link3) + 0.0324*m(link4)".
std::string text(const BaseParameter& p, const std::vector<InertialParameter>& names);

}  // namespace klingel::reduce
