// What the simulator keeps for schemes that are there to be compared with (Scheme::trapezoidal,
// Scheme::reference); made when one of them is first used.
#pragma once

#include <Eigen/Core>

#include "run/continuous.hpp"
#include "run/reference_integrator.hpp"

namespace klingel::run {

struct Comparison {
  explicit Comparison(Simulator::Parts& parts);

  Continuous at;
  ReferenceIntegrator reference;
  Eigen::VectorXd q, dq, ddq, residual, rate;
};

}  // namespace klingel::run
