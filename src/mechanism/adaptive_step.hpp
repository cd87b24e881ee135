// One accepted step of a mechanism by Dormand-Prince 5(4) (dopri5.hpp).
#pragma once

#include <memory>

#include "mechanism/mechanism.hpp"

namespace klingel::mechanism {

class AdaptiveStep {
 public:
  // Absolute and relative error per step; the first attempt h and the longest step h_max, s.
  AdaptiveStep(Mechanism& mechanism, double tolerance, double h, double h_max);
  ~AdaptiveStep();

  // Takes `state` forwards, at most to t_end. A step that is too inaccurate or cannot be evaluated
  // is tried again shorter; when it becomes too short, the reason is left in `failure` and the
  // state is undefined.
  runtime::Status step(State& state, double t_end, runtime::Failure& failure);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace klingel::mechanism
