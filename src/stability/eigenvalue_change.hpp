// How an eigenvalue of small motions changes with their matrices, from the right and left null
// vectors r and l of the augmented matrix P of [eq:augmented] (critical_speed.hpp):
//
//   dlambda = -(l^H dP r) / (l^H dP/dlambda r)                                 [eq:eigenvalue]
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "stability/steady_motion.hpp"

namespace klingel::stability {

class EigenvalueChange {
 public:
  EigenvalueChange(const SmallMotions& s, std::complex<double> lambda);

  // By what changed by `step` from `down` to `up`.
  std::complex<double> of(const SmallMotions& up, const SmallMotions& down, double step) const;

 private:
  std::complex<double> lambda_, weight_;
  Eigen::VectorXcd right_, left_;
};

// Settles there first.
SmallMotions motions_at(SteadyMotion& motion, double speed);

// dlambda/dp at a speed for parameters that change nothing but the kernels. Matrices at steady
// motions with p a little larger and smaller are differenced; a parameter that is zero changes by
// `small`. Leaves the motion as it was.
std::vector<std::complex<double>> eigenvalue_derivatives(SteadyMotion& motion, double speed,
                                                         std::complex<double> lambda,
                                                         const std::vector<std::size_t>& parameters,
                                                         double small = 1e-3);

}  // namespace klingel::stability
