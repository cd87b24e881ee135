#include "packaging/parts.hpp"

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "capi/vehicle_model.hpp"
#include "compile/prepare_run.hpp"
#include "exec/load.hpp"
#include "model/contact.hpp"
#include "simulation/instance.hpp"

namespace klingel::packaging {
namespace {

// Kernels as they run here under the hash of the program that is emitted for the target.
struct Renamed {
  exec::Kernel kernel;
  std::string hash;
  klingel_kernel table;

  Renamed(exec::Kernel of, std::string name)
      : kernel(std::move(of)), hash(std::move(name)), table(kernel.abi()) {
    table.hash = hash.c_str();
  }
  Renamed(const Renamed&) = delete;
  Renamed& operator=(const Renamed&) = delete;
};

void add(Parts& parts, const gen::Emitted& emitted) {
  for (const gen::File& file : emitted.files) {
    const bool source = std::find(emitted.sources.begin(), emitted.sources.end(), file.name) !=
                        emitted.sources.end();
    const auto same = [&](const gen::File& f) { return f.name == file.name; };
    const bool known = std::any_of(parts.kernel_files.begin(), parts.kernel_files.end(), same);
    if ((source || file.name.ends_with(".h")) && !known) parts.kernel_files.push_back(file);
    if (source) parts.kernel_sources.push_back(file.name);
  }
  parts.kernel_models.push_back(emitted.manifest.model);
}

std::shared_ptr<Renamed> renamed(const exec::Kernel& kernel, const gen::Emitted& emitted) {
  return std::make_shared<Renamed>(kernel, emitted.manifest.hash);
}

gen::Emitted emitted_contact() {
  sym::Graph graph;
  const gen::Program contact(graph, "contact", model::contact_interface(graph));
  gen::EmitOptions options;
  options.lanes = 4;
  return gen::emit_c(contact, options);
}

}  // namespace

std::string c_name(std::string_view text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "m_" + name;
  return name;
}

Parts vehicle_parts(const vehicle::Scenario& scenario, const exec::Options& options) {
  if (scenario.integrator == "reference") {
    base::fail(
        "the integrator 'reference' has error control, its steps take any time; "
        "export with another one");
  }
  const compile::CompiledVehicle compiled = compile::compile(scenario, options);
  Parts parts;
  parts.name = c_name(scenario.name);
  parts.title = "vehicle '" + compiled.description->data.name + "' on the track '" +
                compiled.description->track.name + "'";
  const gen::Emitted emitted = gen::emit_c(compile::vehicle_program(*compiled.model));
  add(parts, emitted);
  std::vector<std::shared_ptr<Renamed>> kernels{renamed(*compiled.kernel, emitted)};
  if (compiled.contact) {
    const gen::Emitted contact = emitted_contact();
    add(parts, contact);
    kernels.push_back(renamed(*compiled.contact, contact));
  }

  auto description = std::make_shared<simulation::Description>(*compiled.description);
  std::vector<const klingel_kernel*> tables;
  for (const auto& kernel : kernels) tables.push_back(&kernel->table);
  description->data.vehicle = tables[0];
  if (compiled.contact) description->data.contact = tables[1];
  simulation::Instance instance(description);
  instance.start();
  parts.data = simulation::description_bytes({description, instance.simulator().state()});
  // read back, so that what runs here is what runs there
  parts.model = capi::vehicle_model(
      simulation::read_description(parts.data, tables, "exported data"), parts.data);
  parts.kept = std::make_shared<std::vector<std::shared_ptr<Renamed>>>(std::move(kernels));
  return parts;
}

Parts filter_parts(const vehicle::Scenario& scenario, const FilterContents& contents,
                   const exec::Options& options) {
  if (scenario.integrator == "reference")
    base::fail("the integrator 'reference' has error control: a filter needs steps of one length");
  const compile::CompiledVehicle compiled = compile::compile(scenario, options);
  model::VehicleModel& model = *compiled.model;
  Parts parts;
  parts.name = c_name(contents.name);
  parts.title =
      "filter '" + contents.name + "' of the vehicle '" + compiled.description->data.name + "'";
  std::vector<std::shared_ptr<Renamed>> kernels;
  const auto add_kernel = [&](const exec::Kernel& kernel, const gen::Emitted& emitted) {
    add(parts, emitted);
    kernels.push_back(renamed(kernel, emitted));
    return &kernels.back()->table;
  };
  auto description = std::make_shared<simulation::Description>(*compiled.description);
  description->data.vehicle =
      add_kernel(*compiled.kernel, gen::emit_c(compile::vehicle_program(model)));
  if (compiled.contact)
    description->data.contact = add_kernel(*compiled.contact, emitted_contact());
  auto on_lanes = std::make_shared<simulation::Description>(*description);
  gen::Program program = compile::vehicle_program(model);
  program.rename(program.model() + "_lanes");
  exec::Options lanes = options;
  lanes.emit.lanes = 4;
  on_lanes->data.vehicle = add_kernel(exec::load(program, lanes), gen::emit_c(program, lanes.emit));
  if (contents.setup.filter.method == kalman::Method::extended && !model.rigid_treads &&
      !model.reductions.any()) {
    gen::Program derivatives = compile::derivative_program(model);
    derivatives.rename(derivatives.model() + "_derivatives");
    on_lanes->derivatives = add_kernel(exec::load(derivatives, options), gen::emit_c(derivatives));
  }

  simulation::Instance instance(description);
  kalman::give_before_start(instance, contents.start);
  instance.start();
  parts.data = capi::filter_bytes({contents.name,
                                   {description, instance.simulator().state()},
                                   on_lanes,
                                   contents.setup,
                                   contents.start});
  std::vector<const klingel_kernel*> tables;
  for (const auto& kernel : kernels) tables.push_back(&kernel->table);
  // read back, so that what runs here is what runs there
  parts.model =
      capi::filter_model(capi::read_filter(parts.data, tables, "exported data"), parts.data);
  parts.kept = std::make_shared<std::vector<std::shared_ptr<Renamed>>>(std::move(kernels));
  const std::vector<capi::Variable>& inputs = parts.model->of(capi::Kind::input);
  for (const kalman::Setup::Sensor& sensor : contents.setup.sensors)
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].may_miss && inputs[i].name == sensor.channel) parts.given_inputs.push_back(i);
  parts.given = contents.samples;
  return parts;
}

Parts mechanism_parts(const gen::Program& program, const std::string& title,
                      capi::MechanismDescription description, const exec::Options& options) {
  Parts parts;
  parts.name = c_name(program.model());
  parts.title = title;
  parts.mechanism = true;
  const gen::Emitted emitted = gen::emit_c(program);
  add(parts, emitted);
  const auto kernel = renamed(exec::load(program, options), emitted);
  description.kernel = &kernel->table;
  parts.data = capi::mechanism_bytes(description);
  parts.model =
      capi::mechanism_model(capi::read_mechanism(parts.data, &kernel->table, "exported data"));
  parts.kept = kernel;
  return parts;
}

}  // namespace klingel::packaging
