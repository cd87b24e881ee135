// Schemes for comparison that need forces at t+h: the implicit trapezoidal rule
//
//   dq(t+h) = dq + h/2 (ddq(q, dq) + ddq(q(t+h), dq(t+h)))
//   q(t+h)  = q  + h/2 (dq + dq(t+h))
//
// by Newton's method with the matrix M + h/2 C, C the secants of the creep forces, and the
// reference integrator. Both end on the constraints.
#pragma once

#include <Eigen/Core>

#include "reference/add_comparison.hpp"
#include "reference/continuous.hpp"
#include "reference/reference_integrator.hpp"
#include "step/other_scheme.hpp"

namespace klingel::reference {

class Comparison : public step::OtherScheme {
 public:
  explicit Comparison(std::shared_ptr<const step::Description> vehicle);
  runtime::Status step(step::StepWork& s, const step::VehicleState& state,
                       step::VehicleState& next) override;
  void find_results(step::PointResults& results) const override;
  step::ContactWork work() const override { return work_; }

 private:
  runtime::Status step_trapezoidal(step::StepWork& s, const step::VehicleState& state,
                                   step::VehicleState& next);
  runtime::Status iterate_trapezoidal(step::StepWork& s, const step::VehicleState& state);
  bool release_pulling(step::StepWork& s);
  bool catch_falling(step::StepWork& s);

  Continuous at_;
  ReferenceIntegrator reference_;
  Continuous* last_ = &at_;  // of the last step
  step::ContactWork work_;   // of the last step
  Eigen::VectorXd q_, dq_, ddq_, force_, residual_, rate_;
};

}  // namespace klingel::reference
