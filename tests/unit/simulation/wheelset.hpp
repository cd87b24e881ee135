// Descriptions of shipped vehicles for the tests of instances.
#pragma once

#include <memory>
#include <string>

#include "compile/prepare_run.hpp"

namespace klingel::test {

inline compile::CompiledVehicle compiled(const std::string& name) {
  exec::Options options;
  options.backend = exec::Backend::interpreter;  // nothing to compile for a few steps
  return compile::compile(vehicle::load_scenario(name), options);
}

// A free wheelset that hunts.
inline std::shared_ptr<const simulation::Description> wheelset() {
  return compiled("wheelset").description;
}

}  // namespace klingel::test
