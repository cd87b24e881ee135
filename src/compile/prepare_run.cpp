#include "compile/prepare_run.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "compile/driver.hpp"
#include "compile/implausible_values.hpp"
#include "compile/train_units.hpp"
#include "compile/vehicle_data.hpp"
#include "model/contact.hpp"
#include "model/derivative_interface.hpp"
#include "model/ground_coordinates.hpp"
#include "model/linear_interface.hpp"
#include "model/vehicle_interface.hpp"
#include "step/step_names.hpp"
#include "sym/depends.hpp"
#include "sym/tape.hpp"
#include "vehicle/reductions.hpp"
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
  // the article's scheme goes with the article's projections
  if (d.method.scheme == step::Scheme::imex_printed)
    d.method.set_projections(step::Projections::full);
  d.method.method = step::linear_method_by_name(scenario.method);
  d.interval = scenario.interval;
  d.channels = scenario.channels;
}

// The driver and friction along the track; units of inputs and parameters.
void describe_driving(const Files& files, simulation::Description& d) {
  for (const std::string& name : names_of(*d.data.vehicle, "u")) {
    const auto& inputs = files.vehicle.inputs;
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const vehicle::Input& i) { return i.name == name; });
    d.input_units.push_back(found != inputs.end() ? found->unit : "");
  }
  for (const std::string& name : names_of(*d.data.vehicle, "p")) {
    const auto& units = files.vehicle.parameter_units;
    const auto found = units.find(name);
    d.parameter_units.push_back(found != units.end() ? found->second : "");
  }
  if (const auto& driver = files.scenario.driver)
    d.driver = {index_of(names_of(*d.data.vehicle, "u"), driver_input), driver->s, driver->speeds,
                total_mass(files.vehicle), driver->response};
  if (const auto& friction = files.scenario.rail_friction)
    d.rail_friction = {friction->s, friction->left, friction->right};
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

// What a simulation on a track needs, in the words of the file instead of those of the equations.
void check_vehicle(const vehicle::Vehicle& v) {
  if (v.wheelsets.empty())
    base::fail_at(
        {v.file, 0, 0},
        "the vehicle '{}' has no wheelset, so that nothing of it stands on the rails; add "
        "a [[wheelset]]",
        v.name);
  // the step knows no constraints but those of the wheels: they would be ignored
  if (!v.constraints.empty())
    base::fail_at(v.constraints[0].place,
                  "a vehicle on a track cannot have constraints, and '{}' is one; use a stiff "
                  "spring or bushing instead, with stiff = true",
                  v.constraints[0].name);
  if (v.time)
    base::fail_at(*v.time,
                  "a vehicle on a track cannot use time 't'; use an input, declared in [inputs] of "
                  "the vehicle, and let the scenario give it over time");
}

// Schemes for comparison step q and dq alone.
void check_scheme(const vehicle::Scenario& scenario, const model::VehicleModel& model) {
  const step::Scheme scheme = step::scheme_by_name(scenario.integrator);
  const bool knows = scheme != step::Scheme::trapezoidal && scheme != step::Scheme::reference;
  if (knows || model.mechanics.internal_states().empty()) return;
  base::fail_at(scenario.place("scenario.integrator"),
                "the integrator '{}' does not know internal states, and '{}' has one; use 'imex'",
                scenario.integrator, model.mechanics.internal_states()[0].name);
}

// What only contact under load knows of a track.
void check_track(const vehicle::Scenario& scenario, const track::Track& track) {
  const step::Scheme scheme = step::scheme_by_name(scenario.integrator);
  const bool moves = track.foundation.mass > 0;
  if (scenario.tread == "rigid" && (moves || !track.profile_places.empty()))
    base::fail_at(scenario.place("contact.tread"),
                  "rigid treads do not know {}, and the track '{}' has it; use tread = \"loaded\" "
                  "or another track",
                  moves ? "track that gives way ([foundation])"
                        : "rail profiles that change along the track ([[rail_section]])",
                  track.name);
  if (moves && (scheme == step::Scheme::trapezoidal || scheme == step::Scheme::reference))
    base::fail_at(scenario.place("scenario.integrator"),
                  "the integrator '{}' does not know track that gives way, and the track '{}' has "
                  "a [foundation]; use 'imex'",
                  scenario.integrator, track.name);
}

// Values of expressions with every symbol at its nominal value.
std::vector<double> nominal_values(const std::vector<sym::Expr>& expressions) {
  if (expressions.empty()) return {};
  const std::vector<sym::Expr> symbols = sym::symbols_below(expressions);
  std::vector<double> in;
  for (const sym::Expr s : symbols) in.push_back(s.graph().symbol_of(s).value);
  const sym::Tape tape(symbols, expressions);
  std::vector<double> out(tape.outputs()), registers(tape.registers());
  tape.run(in.data(), out.data(), registers.data());
  return out;
}

// Whether a parameter makes a mass or a moment of inertia zero.
bool has_zero(const vehicle::Vehicle& v) {
  const vehicle::NominalValues nominal(v.parameters);
  const auto zero = [&](const vehicle::Expression& e) {
    return !e.is_number() && nominal.knows(e) && nominal(e) == 0;
  };
  return std::any_of(v.bodies.begin(), v.bodies.end(), [&](const vehicle::Body& b) {
    return zero(b.mass) || std::any_of(b.inertia.begin(), b.inertia.end(), zero);
  });
}

// A coordinate that moves no mass has no equation of motion.
void check_masses(const vehicle::Vehicle& v, const mech::Equations& e) {
  std::vector<sym::Expr> masses;
  std::vector<std::size_t> rows;
  for (const sym::Entry& entry : e.M_qq.entries()) {
    if (entry.row != entry.col) continue;
    masses.push_back(entry.value);
    rows.push_back(entry.row);
  }
  // numbers are looked at only where a formula makes one of them zero: it takes time
  const std::vector<double> values =
      has_zero(v) ? nominal_values(masses) : std::vector<double>(masses.size(), 1);
  std::vector<bool> moves(e.q.size());
  for (std::size_t i = 0; i < rows.size(); ++i) moves[rows[i]] = values[i] != 0;
  for (std::size_t i = 0; i < v.coordinates.size(); ++i) {
    if (moves[i]) continue;
    base::fail_at(v.coordinates[i].place,
                  "the coordinate '{}' moves no mass: give the bodies that it moves a mass or an "
                  "inertia, or remove it",
                  v.coordinates[i].name);
  }
}

// A unit whose body would be beside the rails: found before a long train is made into equations.
// start::check_position() looks at each wheelset.
void check_length(const vehicle::Scenario& s, const vehicle::Vehicle& v,
                  const track::Track& track) {
  const auto x_of = [&](const std::string& name) {
    for (const vehicle::Coordinate& c : v.coordinates)
      if (c.name == name) return c.value;
    return 0.0;
  };
  if (v.units.size() < 2) return;
  const double first = x_of(v.reference ? v.reference->coordinates[0] : "");
  for (const vehicle::Unit& unit : v.units) {
    const double at = s.position + x_of(unit.reference.coordinates[0]) - first;
    if (at >= track.begin() && at <= track.end()) continue;
    base::fail_at(
        s.place("scenario.position"),
        "the train '{}' does not fit on the track: at position {:g} m its unit '{}' would "
        "stand at {:g} m, and the rails of '{}' reach from {:g} to {:g} m",
        v.name, s.position, unit.name, at, track.name, track.begin(), track.end());
  }
}

// Profiles of the scenario in place of the others: worn ones, say.
void replace_profiles(Files& files) {
  const vehicle::Scenario& s = files.scenario;
  if (!s.rail_profile.empty())
    files.track.left_profile = files.track.right_profile = s.rail_profile;
  if (s.wheel_profile.empty()) return;
  for (vehicle::Wheelset& w : files.vehicle.wheelsets)
    w.profile_left = w.profile_right = s.wheel_profile;
}

// The start makes all wheels roll and all bodies follow.
std::vector<std::string> unused_rates(const vehicle::Vehicle& v) {
  for (const vehicle::Coordinate& c : v.coordinates) {
    if (c.rate != 0)
      return {
          fmt::format("{}: the rate of the coordinate '{}' is not used: on a track rates follow "
                      "from the speed",
                      base::text(c.place), c.name)};
  }
  return {};
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

namespace {

void replace_reductions(const vehicle::Reductions& by, vehicle::Vehicle& vehicle) {
  vehicle::check_reductions(by);
  vehicle.reductions = by;
  vehicle.reductions.small = vehicle::small_coordinates(by.small, vehicle.coordinates, by.place);
}

model::Tangents tangents_of(const model::VehicleModel& model) {
  return model.exact_tangents ? model::Tangents::exact : model::Tangents::material;
}

gen::Program program_of(model::VehicleModel& model, const mech::Equations& equations) {
  const std::vector<model::Wheelset> wheelsets = wheelsets_of(model);
  sym::Interface interface = model::vehicle_interface(
      model.mechanics, equations, wheelsets, model.stiff, tangents_of(model),
      model.rigid_treads ? model::Wheels::held : model::Wheels::free);
  std::vector<sym::Expr> limited;
  for (const model::LimitedValue& limit : model.limits) limited.push_back(limit.value);
  if (!limited.empty()) {
    sym::Function limits{"limits",
                         "values of parameters that must not be negative",
                         {sym::Output::vector("limits", limited)}};
    limits.rare = true;
    interface.functions.push_back(limits);
  }
  // where wheels are and how they move stays exact: contact sees micrometres
  const std::vector<std::string> linear = {"M_qq", "delta_NK", "impulse", "solve", "step_matrix"};
  reduce::reduce_functions(model.mechanics, model.reductions, linear, interface);
  return {model.mechanics.graph(), model.mechanics.name(), std::move(interface)};
}

}  // namespace

gen::Program vehicle_program(model::VehicleModel& model) {
  return program_of(model, mech::equations(model.mechanics));
}

gen::Program linear_program(model::VehicleModel& model) {
  const std::vector<model::Wheelset> wheelsets = wheelsets_of(model);
  return {model.mechanics.graph(), model.mechanics.name(),
          model::linear_interface(model.mechanics, mech::equations(model.mechanics), wheelsets)};
}

gen::Program derivative_program(model::VehicleModel& model) {
  const std::vector<model::Wheelset> wheelsets = wheelsets_of(model);
  const mech::Equations equations = mech::equations(model.mechanics);
  return {model.mechanics.graph(), model.mechanics.name(),
          model::derivative_interface(model.mechanics, equations, wheelsets, model.stiff,
                                      tangents_of(model))};
}

CompiledVehicle compile(vehicle::Scenario scenario, const exec::Options& options) {
  CompiledVehicle c;
  Files files;
  files.scenario = std::move(scenario);
  files.vehicle = vehicle::load_vehicle(files.scenario.vehicle.string(), files.scenario.parameters);
  if (files.scenario.reductions) replace_reductions(*files.scenario.reductions, files.vehicle);
  vehicle::check_scenario(files.scenario, files.vehicle);
  check_vehicle(files.vehicle);
  if (files.scenario.driver) add_driver(*files.scenario.driver, files.vehicle);
  check_hold(files.scenario);
  const std::filesystem::path track =
      vehicle::find_track(files.scenario.track, files.scenario.folder());
  files.track = track::build_track(vehicle::read_track(track, files.scenario.track_values));
  files.track_folder = track.parent_path();
  replace_profiles(files);
  check_length(files.scenario, files.vehicle, files.track);
  c.model = model::build(files.vehicle);
  c.model->rigid_treads = files.scenario.tread == "rigid";
  check_scheme(files.scenario, *c.model);
  check_track(files.scenario, files.track);
  const mech::Equations equations = mech::equations(c.model->mechanics);
  check_masses(files.vehicle, equations);
  const gen::Program program = program_of(*c.model, equations);
  const step::Units units = train_units(files.vehicle, program);
  c.kernel = std::make_unique<exec::Kernel>(exec::load(program, options));
  if (files.scenario.tread == "rigid")
    c.contact = std::make_unique<exec::Kernel>(contact_kernel(options));

  const auto d = std::make_shared<simulation::Description>();
  d->kernels.push_back(std::make_shared<exec::Kernel>(*c.kernel));
  if (c.contact) d->kernels.push_back(std::make_shared<exec::Kernel>(*c.contact));
  d->data = vehicle_data(files, *c.model, c.kernel->abi(), c.contact ? &c.contact->abi() : nullptr,
                         units);
  describe_run(files.scenario, *c.model, *d);
  describe_driving(files, *d);
  for (const model::LimitedValue& limit : c.model->limits)
    d->limits.push_back({limit.positive, limit.what});
  d->warnings = c.model->warnings;
  for (const exec::Kernel* kernel : {c.kernel.get(), c.contact.get()})
    if (kernel != nullptr && !kernel->warning().empty()) d->warnings.push_back(kernel->warning());
  append(d->warnings, unused_rates(files.vehicle));
  append(d->warnings, implausible_values(files.vehicle));
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

std::shared_ptr<const simulation::Description> with_derivatives(
    const CompiledVehicle& vehicle, std::shared_ptr<const simulation::Description> description,
    exec::Options options) {
  if (vehicle.model->rigid_treads || vehicle.model->reductions.any()) return description;
  options.emit.lanes = 1;
  const auto kernel =
      std::make_shared<exec::Kernel>(exec::load(derivative_program(*vehicle.model), options));
  const auto d = std::make_shared<simulation::Description>(*description);
  d->derivatives = &kernel->abi();
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
