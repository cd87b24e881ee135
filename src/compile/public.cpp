// The public functions of klingel/compile.hpp.
#include <klingel/compile.hpp>

#include "base/lookup.hpp"
#include "base/version.hpp"
#include "compile/prepare_run.hpp"
#include "exec/backend.hpp"

namespace klingel {
namespace {

vehicle::Scenario scenario_of(const std::string& what, const LoadOptions& options) {
  vehicle::Scenario scenario = vehicle::load_scenario(what);
  if (!options.track.empty()) scenario.track = base::located(base::tracks, options.track, {});
  for (const auto& [name, value] : options.parameters) scenario.parameters.push_back({name, value});
  return scenario;
}

exec::Options kernels_of(const LoadOptions& options) {
  exec::Options kernels;
  kernels.backend = exec::backend_by_name(options.backend);
  return kernels;
}

}  // namespace

Simulation load(const std::string& what, const LoadOptions& options) {
  const compile::CompiledVehicle compiled =
      compile::compile(scenario_of(what, options), kernels_of(options));
  return Simulation(std::make_unique<simulation::Instance>(compiled.description));
}

Batch load_batch(const std::string& what, std::size_t lanes, const LoadOptions& options) {
  const compile::PreparedRun run =
      compile::prepare_run(scenario_of(what, options), kernels_of(options));
  return Batch(
      std::make_unique<simulation::Batch>(compile::side_by_side(run, kernels_of(options), lanes)));
}

std::string version() { return base::version; }

}  // namespace klingel
