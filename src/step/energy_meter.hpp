// Keeps the balance of energy from step to step.
#pragma once

#include "step/energy_balance.hpp"
#include "step/step_work.hpp"

namespace klingel::step {

class EnergyMeter {
 public:
  // Nothing is kept until open().
  void close() { balance = {}, is_open_ = false; }
  bool is_open() const { return is_open_; }
  void open(const Description& vehicle, Instant& at, double stored);
  // After a step of h that ended at this instant. Inputs and dampers by the trapezoidal rule.
  void add(const Description& vehicle, Instant& end, const ContactWork& work, double stored,
           double h);

  EnergyBalance balance;

 private:
  bool is_open_ = false;
  double power_ = 0, input_power_ = 0;  // of inputs and dampers at t, and of inputs
};

}  // namespace klingel::step
