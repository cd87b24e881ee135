#include "compile/prepare_run.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "compile/vehicle_data.hpp"
#include "model/contact.hpp"
#include "model/ground_coordinates.hpp"
#include "model/vehicle_interface.hpp"
#include "step/step_names.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::compile {
namespace {

std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<model::Wheelset> wheelsets_of(const model::VehicleModel& model) {
  std::vector<model::Wheelset> list;
  for (const model::WheelsetPlace& w : model.wheelsets) {
    list.push_back({w.name,
                    w.centre,
                    w.still,
                    w.spinning,
                    {model.wheels[w.wheels[0]].name, model.wheels[w.wheels[1]].name}});
  }
  return list;
}

// Wheels side by side on lanes; only rigid treads have these kernels.
exec::Kernel contact_kernel(exec::Options options) {
  sym::Graph graph;
  const gen::Program contact(graph, "contact", model::contact_interface(graph));
  options.emit.lanes = 4;
  return exec::load(contact, options);
}

// The elements of a kernels' input, by name.
std::vector<std::string> names_of(const klingel_kernel& kernel, std::string_view input) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < kernel.n_inputs; ++i) {
    const klingel_input& in = kernel.inputs[i];
    if (in.name == input) names.assign(in.names, in.names + in.size);
  }
  return names;
}

start::Start start_of(const vehicle::Scenario& scenario, const model::VehicleModel& model,
                      const klingel_kernel& kernel) {
  start::Start start;
  start.position = scenario.position;
  start.speed = scenario.speed;
  start.equilibrium = scenario.equilibrium != "none";
  for (const vehicle::Hold& h : scenario.hold)
    start.held.push_back({index_of(names_of(kernel, "q"), h.coordinate), h.value});
  if (model.reference) start.body = model.reference->coordinates;
  start.grounded = model::ground_coordinates(model);
  for (const model::WheelsetPlace& w : model.wheelsets) start.spins.push_back(w.spin);
  return start;
}

// The scenario's values for the vehicle's kernels.
void describe_run(const vehicle::Scenario& scenario, const model::VehicleModel& model,
                  simulation::Description& d) {
  const klingel_kernel& kernel = *d.data.vehicle;
  d.scenario = scenario.name;
  d.start = start_of(scenario, model, kernel);
  d.steady = scenario.equilibrium == "quasi-static";
  for (const vehicle::Signal& s : scenario.inputs)
    d.inputs.push_back({index_of(names_of(kernel, "u"), s.input), s.times, s.values});
  for (std::size_t i = 0; i < model.wheels.size(); ++i) {
    const auto mu = scenario.wheel_friction.find(model.wheels[i].name);
    if (mu != scenario.wheel_friction.end()) d.friction.push_back({i, mu->second});
  }
  d.step = scenario.step;
  d.duration = scenario.duration;
  d.method.scheme = step::scheme_by_name(scenario.integrator);
  d.method.method = step::linear_method_by_name(scenario.method);
  d.interval = scenario.interval;
  d.channels = scenario.channels;
}

void check_hold(const vehicle::Scenario& scenario) {
  if (scenario.equilibrium != "quasi-static") return;
  for (const vehicle::Hold& h : scenario.hold) {
    base::fail_at(h.place,
                  "a quasi-static start cannot hold coordinates; "
                  "remove '{}' from 'hold' or use equilibrium = \"static\"",
                  h.coordinate);
  }
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

gen::Program vehicle_program(model::VehicleModel& model) {
  const mech::Equations equations = mech::equations(model.mechanics);
  const std::vector<model::Wheelset> wheelsets = wheelsets_of(model);
  return {model.mechanics.graph(), model.mechanics.name(),
          model::vehicle_interface(
              model.mechanics, equations, wheelsets, model.stiff,
              model.exact_tangents ? model::Tangents::exact : model::Tangents::material)};
}

CompiledVehicle compile(vehicle::Scenario scenario, const exec::Options& options) {
  CompiledVehicle c;
  Files files;
  files.scenario = std::move(scenario);
  files.vehicle = vehicle::load_vehicle(files.scenario.vehicle.string(), files.scenario.parameters);
  vehicle::check_scenario(files.scenario, files.vehicle);
  check_hold(files.scenario);
  const std::filesystem::path track =
      vehicle::find_track(files.scenario.track, files.scenario.folder());
  files.track = track::build_track(vehicle::read_track(track));
  files.track_folder = track.parent_path();
  c.model = model::build(files.vehicle);
  c.kernel = std::make_unique<exec::Kernel>(exec::load(vehicle_program(*c.model), options));
  if (files.scenario.tread == "rigid")
    c.contact = std::make_unique<exec::Kernel>(contact_kernel(options));

  const auto d = std::make_shared<simulation::Description>();
  d->kernels.push_back(std::make_shared<exec::Kernel>(*c.kernel));
  if (c.contact) d->kernels.push_back(std::make_shared<exec::Kernel>(*c.contact));
  d->data = vehicle_data(files, *c.model, c.kernel->abi(), c.contact ? &c.contact->abi() : nullptr);
  describe_run(files.scenario, *c.model, *d);
  d->warnings = c.model->warnings;
  append(d->warnings, files.track.warnings);
  append(d->warnings, wavy_profiles(files, *c.model));
  d->track = std::move(files.track);
  c.scenario = std::move(files.scenario);
  c.vehicle = std::move(files.vehicle);
  c.description = d;
  return c;
}

std::shared_ptr<const simulation::Description> on_lanes(const CompiledVehicle& vehicle,
                                                        exec::Options options, std::size_t lanes) {
  options.emit.lanes = static_cast<unsigned>(lanes);
  const auto kernel =
      std::make_shared<exec::Kernel>(exec::load(vehicle_program(*vehicle.model), options));
  const auto d = std::make_shared<simulation::Description>(*vehicle.description);
  d->data.vehicle = &kernel->abi();
  d->kernels.push_back(kernel);
  return d;
}

PreparedRun::PreparedRun(CompiledVehicle compiled)
    : CompiledVehicle(std::move(compiled)),
      instance(std::make_unique<simulation::Instance>(description)),
      simulator(&instance->simulator()),
      track(description->track) {}

PreparedRun prepare_run(vehicle::Scenario scenario, const exec::Options& options) {
  PreparedRun run(compile(std::move(scenario), options));
  run.instance->start();
  return run;
}

simulation::Batch side_by_side(const PreparedRun& run, const exec::Options& options,
                               std::size_t lanes) {
  return {on_lanes(run, options, lanes), *run.instance};
}

}  // namespace klingel::compile
