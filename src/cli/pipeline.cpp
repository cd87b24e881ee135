#include "cli/pipeline.hpp"

namespace klingel::cli {

Pipeline describe(const std::string& name, void (*build)(mech::Model&)) {
  Pipeline p;
  p.model = std::make_unique<mech::Model>(name);
  build(*p.model);
  p.equations = mech::equations(*p.model);
  p.program = std::make_unique<gen::Program>(p.model->graph(), name,
                                             mech::interface(*p.model, p.equations));
  return p;
}

void load(Pipeline& p, const exec::Options& options) {
  p.kernel = std::make_unique<exec::Kernel>(exec::load(*p.program, options));
  std::vector<std::string> constraints;
  for (const mech::Constraint& c : p.model->constraints()) constraints.push_back(c.name);
  p.mechanism = std::make_unique<mechanism::Mechanism>(p.kernel->abi(), constraints);
}

}  // namespace klingel::cli
