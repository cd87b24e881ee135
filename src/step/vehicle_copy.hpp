// Kernels and contacts of their own for a vehicle like a simulator's, at one state: for starts,
// reference methods and benches. The simulator is not touched.
#pragma once

#include <memory>
#include <vector>

#include "step/simulator.hpp"
#include "step/treads.hpp"

namespace klingel::step {

class VehicleCopy {
 public:
  // With the parameters, inputs and friction of the simulator.
  explicit VehicleCopy(const Simulator& simulator);
  // With nominal parameters and inputs.
  explicit VehicleCopy(std::shared_ptr<const Description> description);

  // Kernels and contacts at a state, as if a step had just ended there.
  void take_state(const VehicleState& state);
  void take_settings(const KernelSet& from, const std::vector<double>& friction);

  RigidTreads* rigid() { return std::get_if<RigidTreads>(&treads); }
  LoadedTreads* loaded() { return std::get_if<LoadedTreads>(&treads); }

  const std::shared_ptr<const Description> description;
  const Description& vehicle;

 private:
  // If the kernels have several lanes, `at` is the first of these: made before it.
  std::unique_ptr<KernelSet> lanes_;

 public:
  Instant at;
  std::vector<double> friction;
  Treads treads;
};

}  // namespace klingel::step
