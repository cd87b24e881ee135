// What leaves the house: a model as kernels in C, its data as bytes, and the same model running
// here. Packages and FMUs are made of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capi/filter_description.hpp"
#include "capi/mechanism_model.hpp"
#include "capi/model.hpp"
#include "exec/backend.hpp"
#include "gen/emit_c.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::packaging {

struct Parts {
  std::string name;        // of the scenario or mechanism, as a name in C
  std::string title;       // one line
  bool mechanism = false;  // else a vehicle
  std::vector<gen::File> kernel_files;
  std::vector<std::string> kernel_sources;  // those of them that are compiled
  std::vector<std::string> kernel_models;   // MODEL of const klingel_kernel* MODEL_kernel(void)
  // What the self-test gives to inputs, by index, before each of its steps; of filters.
  std::vector<std::size_t> given_inputs;
  std::vector<std::vector<double>> given;
  std::string data;
  std::shared_ptr<const capi::Model> model;
  std::shared_ptr<const void> kept;  // what the model needs to run here
};

// An Error if the scenario cannot be exported: its integrator has error control.
Parts vehicle_parts(const vehicle::Scenario& scenario, const exec::Options& options = {});

// A mechanism: its program, and how it runs; `description.kernel` is not used.
Parts mechanism_parts(const gen::Program& program, const std::string& title,
                      capi::MechanismDescription description, const exec::Options& options = {});

// A filter: the scenario of its vehicle, what it estimates and from which sensors.
struct FilterContents {
  std::string name;
  kalman::Setup setup;
  kalman::StartValues start;
  // Samples of the sensors, one row for each step, for the self-test; NaN is missing.
  std::vector<std::vector<double>> samples;
};
// With kernels on four lanes and those of derivatives.
Parts filter_parts(const vehicle::Scenario& scenario, const FilterContents& contents,
                   const exec::Options& options = {});

// Letters, digits and '_', beginning with a letter.
std::string c_name(std::string_view text);

}  // namespace klingel::packaging
