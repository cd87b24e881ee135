#include "cli/vehicle_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "gen/program.hpp"
#include "model/contact.hpp"
#include "model/ground_coordinates.hpp"
#include "model/vehicle_interface.hpp"
#include "profile/named_profile.hpp"
#include "profile/profile_report.hpp"
#include "reference/comparison.hpp"
#include "start/rolling.hpp"
#include "start/start.hpp"
#include "start/static_loads.hpp"
#include "start/steady_start.hpp"
#include "start/wheel_charts.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::cli {
namespace {

using contact::Interval;
using profile::Profile;
using profile::ProfileKind;
using profile::Side;

// the name of a shipped profile, or a file relative to the folder of who names it
Profile profile_of(const std::string& name, const std::filesystem::path& folder, ProfileKind kind) {
  const std::filesystem::path beside = folder / name;
  return profile::profile(std::filesystem::exists(beside) ? beside.string() : name, kind);
}

// Where on a wheel its first and its second point are looked for. The flange stands at negative y
// of the profile, so on the left of a right wheel. Without a second point the first one may be
// anywhere.
void set_zones(step::WheelData& wheel, const vehicle::Scenario& scenario) {
  if (!scenario.flange) return;
  const bool left = wheel.side == Side::left;
  const spline::CubicSpline& f_w = wheel.surface.f_w;
  const double begin = scenario.flange_begin, end = scenario.flange_end;
  wheel.tread = left ? Interval{-begin, f_w.end()} : Interval{f_w.begin(), begin};
  wheel.flange = left ? Interval{-end, -begin} : Interval{begin, end};
}

step::ContactLaw law_of(const vehicle::Scenario& scenario, const vehicle::Vehicle& vehicle) {
  step::ContactLaw law;
  law.creep.law = creep::creep_law(scenario.law);
  const vehicle::Material material = vehicle::material(vehicle, scenario);
  law.E = material.E, law.poisson = material.poisson, law.G = material.G;
  law.kalker = scenario.kalker == "smooth" ? creep::KalkerInterpolation::smooth
                                           : creep::KalkerInterpolation::linear;
  law.B_floor = scenario.tread == "rigid" ? scenario.curvature_floor : 0;
  law.rail_stiffness = scenario.rail_stiffness, law.rail_damping = scenario.rail_damping;
  law.flange = {contact::ElasticLaw::linear, scenario.flange_stiffness, scenario.flange_damping};
  law.unilateral = scenario.contact != "bilateral";
  return law;
}

// What the scenario says of sheets; the flange zone is that of a rigid tread unless it is given.
contact::SheetChoice choice_of(const vehicle::Scenario& scenario) {
  contact::SheetChoice choice;
  choice.flange = scenario.flange;
  if (scenario.places.contains("contact.flange_zone")) choice.split = -scenario.flange_begin;
  return choice;
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

step::VehicleData data_of(const VehiclePipeline& p) {
  if (p.track.rail_profile.empty()) {
    base::fail("the track '{}' names no rail profile; add 'rail_profile' to its file",
               p.track.name);
  }
  const Profile rail = profile::profile(p.track.rail_profile, ProfileKind::rail);
  step::VehicleData data;
  data.name = p.vehicle.name;
  data.vehicle = &p.kernel->abi();
  if (p.contact) data.contact = &p.contact->abi();
  data.left = {profile::rail_function(rail, Side::left), p.track.left};
  data.right = {profile::rail_function(rail, Side::right), p.track.right};
  data.law = law_of(p.scenario, p.vehicle);
  data.friction = p.scenario.friction;
  for (const model::WheelsetPlace& w : p.model->wheelsets) data.wheelsets.push_back(w.name);
  for (const model::WheelPlace& w : p.model->wheels) {
    step::WheelData wheel;
    wheel.name = w.name;
    wheel.wheelset = w.wheelset;
    wheel.side = w.side;
    wheel.y_w = w.y_w;
    const Profile profile = profile_of(w.profile, p.vehicle.folder, ProfileKind::wheel);
    wheel.surface = {profile::wheel_function(profile, w.side, w.radius)};
    set_zones(wheel, p.scenario);
    data.wheels.push_back(std::move(wheel));
  }
  if (p.scenario.tread == "loaded")
    start::give_charts(data, start::static_loads(data), choice_of(p.scenario));
  return data;
}

// Profiles whose curvature changes its sign again and again are measured ones with waves of some
// micrometres. Loaded contact averages over its patch, a rigid point follows each wave.
void warn_of_waves(const VehiclePipeline& p, std::vector<std::string>& warnings) {
  constexpr int many = 8;
  std::vector<std::string> seen;
  const auto look = [&](const std::string& name, const std::filesystem::path& folder,
                        ProfileKind kind) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return;
    seen.push_back(name);
    const int changes =
        profile::profile_report(profile_of(name, folder, kind)).curvature_sign_changes;
    if (changes <= many) return;
    warnings.push_back(fmt::format(
        "the profile '{}' is wavy: its curvature changes its sign {} times where it can touch; {}",
        name, changes,
        p.scenario.tread == "rigid"
            ? "a rigid tread jumps from wave to wave, use tread = \"loaded\""
            : "smooth it if waves longer than 5 mm are not real"));
  };
  look(p.track.rail_profile, {}, ProfileKind::rail);
  for (const model::WheelPlace& w : p.model->wheels)
    look(w.profile, p.vehicle.folder, ProfileKind::wheel);
}

std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

gen::Program vehicle_program(model::VehicleModel& model) {
  const mech::Equations equations = mech::equations(model.mechanics);
  const std::vector<model::Wheelset> wheelsets = wheelsets_of(model);
  return {model.mechanics.graph(), model.mechanics.name(),
          model::vehicle_interface(model.mechanics, equations, wheelsets, model.stiff)};
}

VehiclePipeline prepare_run(vehicle::Scenario scenario, const exec::Options& options) {
  VehiclePipeline p;
  p.scenario = std::move(scenario);
  p.vehicle = vehicle::load_vehicle(p.scenario.vehicle.string(), p.scenario.parameters);
  vehicle::check_scenario(p.scenario, p.vehicle);
  p.track = vehicle::load_track(p.scenario.track);
  p.model = model::build(p.vehicle);
  p.kernel = std::make_unique<exec::Kernel>(exec::load(vehicle_program(*p.model), options));
  if (p.scenario.tread == "rigid") {
    sym::Graph graph;
    const gen::Program contact(graph, "contact", model::contact_interface(graph));
    // wheels side by side
    exec::Options on_lanes = options;
    on_lanes.emit.lanes = 4;
    p.contact = std::make_unique<exec::Kernel>(exec::load(contact, on_lanes));
  }
  p.simulator = std::make_unique<step::Simulator>(data_of(p));
  reference::add_comparison(*p.simulator);
  for (std::size_t i = 0; i < p.model->wheels.size(); ++i) {
    const auto mu = p.scenario.wheel_friction.find(p.model->wheels[i].name);
    if (mu != p.scenario.wheel_friction.end()) p.simulator->set_friction(i, mu->second);
  }
  for (const vehicle::Signal& signal : p.scenario.inputs)
    p.inputs.push_back(index_of(p.simulator->input_names(), signal.input));
  p.warnings = p.model->warnings;
  p.warnings.insert(p.warnings.end(), p.track.warnings.begin(), p.track.warnings.end());
  warn_of_waves(p, p.warnings);
  start_run(p);
  return p;
}

Lanes side_by_side(const VehiclePipeline& p, exec::Options options, std::size_t lanes) {
  Lanes out;
  const std::unique_ptr<model::VehicleModel> model = model::build(p.vehicle);
  options.emit.lanes = static_cast<unsigned>(lanes);
  out.kernel = std::make_unique<exec::Kernel>(exec::load(vehicle_program(*model), options));
  step::VehicleData data = p.simulator->data();
  data.vehicle = &out.kernel->abi();
  out.batch = std::make_unique<step::Batch>(std::move(data));
  for (std::size_t i = 0; i < out.batch->size(); ++i) {
    step::Simulator& vehicle = (*out.batch)[i];
    vehicle.set_state(p.simulator->state());
    for (std::size_t k = 0; k < vehicle.data().wheels.size(); ++k)
      vehicle.set_friction(k, p.simulator->friction(k));
    for (std::size_t k = 0; k < vehicle.input_names().size(); ++k)
      vehicle.set_input(k, p.simulator->input(k));
  }
  return out;
}

void start_run(VehiclePipeline& p) {
  step::Simulator& s = *p.simulator;
  start::Start options;
  options.position = p.scenario.position;
  options.speed = p.scenario.speed;
  options.equilibrium = p.scenario.equilibrium != "none";
  for (const vehicle::Hold& h : p.scenario.hold)
    options.held.push_back({index_of(s.coordinate_names(), h.coordinate), h.value});
  if (p.model->reference) options.body = p.model->reference->coordinates;
  options.grounded = model::ground_coordinates(*p.model);
  for (const model::WheelsetPlace& w : p.model->wheelsets) options.spins.push_back(w.spin);
  if (p.scenario.equilibrium == "quasi-static") {
    for (const vehicle::Hold& h : p.scenario.hold) {
      base::fail_at(h.place,
                    "a quasi-static start holds nothing, the vehicle runs as it does by itself; "
                    "remove '{}' from 'hold' or use equilibrium = \"static\"",
                    h.coordinate);
    }
    start::begin_steady(s, p.track, options);
  } else {
    start::begin(s, p.track, options);
  }
  set_inputs(p, 0);
}

void set_inputs(VehiclePipeline& p, double t) { set_inputs(p, *p.simulator, t); }

void set_inputs(const VehiclePipeline& p, step::Simulator& simulator, double t) {
  for (std::size_t i = 0; i < p.inputs.size(); ++i)
    simulator.set_input(p.inputs[i], p.scenario.inputs[i].at(t));
}

}  // namespace klingel::cli
