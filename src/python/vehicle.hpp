// A loaded vehicle, as the parts of the module share it.
#pragma once

#include <atomic>
#include <memory>

#include "study/case_analysis.hpp"
#include "study/whole_run.hpp"

namespace klingel::python {

// A compiled vehicle on its track, as often as it is wanted.
struct Vehicle {
  Vehicle(compile::CompiledVehicle compiled, exec::Options options)
      : scenario(compiled.scenario), kernels(options), runner(std::move(compiled), options, 4) {}

  simulation::Instance& instance() { return *runner.prepared().instance; }
  const simulation::Description& description() { return *runner.prepared().description; }

  vehicle::Scenario scenario;
  exec::Options kernels;
  study::CaseRunner runner;
  std::unique_ptr<study::LinearVehicle> linear;  // made when it is asked for
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
};
using VehiclePointer = std::shared_ptr<Vehicle>;

}  // namespace klingel::python
