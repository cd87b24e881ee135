// A scheme beside those of the step, for comparison. The room `reference` has them.
#pragma once

#include "step/point_results.hpp"
#include "step/step_work.hpp"

namespace klingel::step {

class OtherScheme {
 public:
  virtual ~OtherScheme() = default;
  // From one state to the next, with inputs and parameters of the kernels s.at_t. Only q, dq,
  // contact points and the log are its duty.
  virtual Status step(StepWork& s, const VehicleState& state, VehicleState& next) = 0;
  // Of the last step.
  virtual void find_results(PointResults& results) const = 0;
  virtual ContactWork work() const = 0;
};

}  // namespace klingel::step
