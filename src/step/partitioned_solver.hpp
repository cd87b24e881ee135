// The step's linear systems by coordinate partitioning. The Jacobian of the normal constraints is
// factored once per step, where velocities are projected: the next step begins there, so its
// implicit system and its corrections of q use the same factors, as the article says.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "runtime/dense_matrix.hpp"
#include "step/instant.hpp"
#include "step/partitioning.hpp"

namespace klingel::step {

class PartitionedSolver {
 public:
  explicit PartitionedSolver(const Description& vehicle);

  // Whether the factors are those of these constraints (1 where one holds).
  bool is_current(const std::vector<double>& active) const { return known && active_ == active; }
  // Factors dphi_n_dq at an instant, with W_n of each wheel from normal_of(wheel) and the wheels
  // for which holds(wheel). False if their constraints depend on each other.
  template <class NormalOf, class Holds>
  bool decompose(Instant& at, NormalOf normal_of, Holds holds) {
    runtime::evaluate_dense(at.kernels, vehicle_.id.twist_dq, J_);
    Eigen::Index held = 0;
    for (std::size_t i = 0; i < vehicle_.w; ++i) {
      const bool on = holds(i);
      held += on ? 1 : 0;
      set_row(i, normal_of(i), on);
    }
    known = Phi_.allFinite() && factors.decompose(Phi_, held);
    return known;
  }
  // x of the implicit system, with the right side of the kernels.
  bool solve(KernelSet& kernels, runtime::Column<const double>& x);
  // target += the change of dependent coordinates that the constraints require
  bool correct(const KernelSet& kernels, const runtime::Column<double>& target);

  Partitioning factors;
  bool known = false;  // factors are those of the last velocity projection

 private:
  void set_row(std::size_t wheel, const std::array<double, 6>& W, bool on);

  const Description& vehicle_;
  std::vector<double> active_;               // wheels they hold
  Eigen::MatrixXd Phi_, J_, A_;              // J: twist_dq
  Eigen::VectorXd f_, g_, dq_, lambda_, x_;  // x: both
};

}  // namespace klingel::step
