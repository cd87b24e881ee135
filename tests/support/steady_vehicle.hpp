// Shipped vehicles with the kernels of their small motions, for tests of stability and curving.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compile/prepare_run.hpp"
#include "stability/steady_motion.hpp"

namespace klingel::support {

struct SteadyVehicle {
  compile::CompiledVehicle vehicle;
  std::unique_ptr<exec::Kernel> linear;

  std::unique_ptr<stability::SteadyMotion> motion(const stability::Curve& curve = {}) const {
    return std::make_unique<stability::SteadyMotion>(*vehicle.description, linear->abi(), curve);
  }
};

struct SteadyChoice {
  std::vector<std::pair<std::string, std::string>> set = {};
  std::string law = "", tread = "";
};

inline SteadyVehicle steady_vehicle(const std::string& name, const SteadyChoice& choice = {}) {
  vehicle::Scenario scenario =
      vehicle::load_scenario(KLINGEL_SOURCE_DIR "/vehicles/" + name + "/scenario.toml");
  if (!choice.law.empty()) scenario.law = choice.law;
  if (!choice.tread.empty()) scenario.tread = choice.tread;
  for (const auto& [parameter, value] : choice.set)
    scenario.parameters.push_back({parameter, value});
  SteadyVehicle v;
  exec::Options options;
  options.backend = exec::Backend::interpreter;
  v.vehicle = compile::compile(std::move(scenario), options);
  v.linear = std::make_unique<exec::Kernel>(
      exec::load(compile::linear_program(*v.vehicle.model), options));
  return v;
}

}  // namespace klingel::support
