// The path of the data for an ordinary mechanism: model -> equations -> program -> kernels ->
// mechanism.
#pragma once

#include <memory>
#include <string>

#include "exec/load.hpp"
#include "gen/program.hpp"
#include "mech/equations.hpp"
#include "mechanism/mechanism.hpp"

namespace klingel::cli {

struct Pipeline {
  std::unique_ptr<mech::Model> model;
  mech::Equations equations;
  std::unique_ptr<gen::Program> program;
  std::unique_ptr<exec::Kernel> kernel;
  std::unique_ptr<mechanism::Mechanism> mechanism;
};

// Everything up to the program: no compiler is needed.
Pipeline describe(const std::string& name, void (*build)(mech::Model&));
// The rest.
void load(Pipeline& pipeline, const exec::Options& options);

}  // namespace klingel::cli
