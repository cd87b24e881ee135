// The path of the data for a vehicle's run:
//
//   scenario, vehicle file -> Vehicle -> mech::Model -> equations -> functions -> kernels
//   track file -> rails;  profiles -> wheels;  all together -> Simulator, standing at its start
//
// Each arrow is one call; a newcomer starts in the source.
#pragma once

#include <memory>

#include "exec/load.hpp"
#include "model/build.hpp"
#include "step/batch.hpp"
#include "step/simulator.hpp"
#include "track/track.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::cli {

struct VehiclePipeline {
  vehicle::Scenario scenario;
  vehicle::Vehicle vehicle;
  std::unique_ptr<model::VehicleModel> model;
  std::unique_ptr<exec::Kernel> kernel, contact;
  track::Track track;
  std::unique_ptr<step::Simulator> simulator;
  std::vector<std::size_t> inputs;  // of the simulator, by signal of the scenario
  std::vector<std::string> warnings;
};

// The vehicle's functions as a program (the step, the equations, the outputs of the file).
gen::Program vehicle_program(model::VehicleModel& model);

// Everything up to a simulator at its initial state: on the track, in equilibrium as the scenario
// wishes, wheels rolling. Wrong files are Errors with file, line and column.
VehiclePipeline prepare_run(vehicle::Scenario scenario, const exec::Options& options = {});

// Vehicles like the pipeline's, side by side on so many lanes, all at its state, with its friction
// and inputs. The kernels, the pipeline's of contacts among them, must outlive the batch.
struct Lanes {
  std::unique_ptr<exec::Kernel> kernel;
  std::unique_ptr<step::Batch> batch;
};
Lanes side_by_side(const VehiclePipeline& pipeline, exec::Options options, std::size_t lanes = 4);

// Puts the simulator at the start again, as the pipeline's scenario says now: position, speed,
// equilibrium, held coordinates. Inputs act after it has settled.
void start_run(VehiclePipeline& pipeline);

// Inputs of the scenario at time t.
void set_inputs(VehiclePipeline& pipeline, double t);
void set_inputs(const VehiclePipeline& pipeline, step::Simulator& simulator, double t);

}  // namespace klingel::cli
