// From files to a vehicle that runs:
//
//   scenario, vehicle file -> Vehicle -> mech::Model -> equations -> functions -> kernels
//   track file -> rails;  profiles -> wheels;  all together -> Description -> Instance
//
// Each arrow is one call; a newcomer starts in the source.
#pragma once

#include <memory>

#include "exec/load.hpp"
#include "gen/program.hpp"
#include "model/build.hpp"
#include "simulation/batch.hpp"
#include "simulation/instance.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::compile {

// The vehicle's functions as a program (the step, the equations, the outputs of the file).
gen::Program vehicle_program(model::VehicleModel& model);

// Functions of small motions of the vehicle (model/linear_interface.hpp), for room stability.
gen::Program linear_program(model::VehicleModel& model);

// Derivatives of the vehicle's step (model/derivative_interface.hpp).
gen::Program derivative_program(model::VehicleModel& model);

// A compiled vehicle: what its files say, the model in symbols, kernels, and the description that
// needs none of them but the kernels, which it keeps alive.
struct CompiledVehicle {
  vehicle::Scenario scenario;
  vehicle::Vehicle vehicle;
  std::unique_ptr<model::VehicleModel> model;
  std::unique_ptr<exec::Kernel> kernel, contact;  // contact: of rigid treads only
  std::shared_ptr<const simulation::Description> description;
};

// Wrong files are Errors with file, line and column.
CompiledVehicle compile(vehicle::Scenario scenario, const exec::Options& options = {});

// The same vehicle with kernels on several lanes, for a simulation::Batch.
std::shared_ptr<const simulation::Description> on_lanes(const CompiledVehicle& vehicle,
                                                        exec::Options options,
                                                        std::size_t lanes = 4);

// A description of the vehicle, on lanes or not, with kernels of the derivatives of its step, for a
// simulation::Lineariser. The description itself where there are none: of rigid treads, and of
// models with reductions, whose step is not that of the equations.
std::shared_ptr<const simulation::Description> with_derivatives(
    const CompiledVehicle& vehicle, std::shared_ptr<const simulation::Description> description,
    exec::Options options);

// A compiled vehicle and its instance at the start: on the track, in equilibrium as the scenario
// says, wheels rolling. For programs that also look into the model.
struct PreparedRun : CompiledVehicle {
  explicit PreparedRun(CompiledVehicle compiled);

  std::unique_ptr<simulation::Instance> instance;
  step::Simulator* simulator;  // the instance's
  const track::Track& track;   // the description's
};
PreparedRun prepare_run(vehicle::Scenario scenario, const exec::Options& options = {});

// Vehicles like the prepared one, side by side on so many lanes, all at its state.
simulation::Batch side_by_side(const PreparedRun& run, const exec::Options& options,
                               std::size_t lanes = 4);

}  // namespace klingel::compile
