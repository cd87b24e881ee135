// klingel check: validates a vehicle or scenario file without running it and prints what it holds.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/vehicle_arguments.hpp"
#include "compile/prepare_run.hpp"
#include "model/build.hpp"
#include "profile/named_profile.hpp"
#include "start/modes.hpp"
#include "vehicle/keys.hpp"
#include "vehicle/scenario.hpp"
#include "vehicle/track_file.hpp"

namespace klingel::cli {
namespace {

void print_list(const char* title, const std::vector<std::string>& names) {
  fmt::print("{} {}", names.size(), title);
  std::size_t column = 100;
  for (const std::string& n : names) {
    if (column + n.size() + 2 > 92) {
      fmt::print("\n   ");
      column = 3;
    }
    fmt::print(" {}", n);
    column += n.size() + 1;
  }
  fmt::print("\n");
}

std::vector<std::string> kinds_of(const vehicle::Vehicle& v) {
  std::map<std::size_t, int> counts;
  for (const vehicle::Element& e : v.elements) ++counts[e.what.index()];
  std::vector<std::string> result;
  for (const auto& [kind, n] : counts)
    result.push_back(fmt::format("{} {}", n, vehicle::element_tables()[kind]->name));
  return result;
}

// Profiles must exist and be wheels; the error names the wheelset.
void check_profiles(const vehicle::Vehicle& v) {
  for (const vehicle::Wheelset& w : v.wheelsets) {
    for (const std::string& name : {w.profile_right, w.profile_left}) {
      try {
        profile::profile(name, profile::ProfileKind::wheel, v.folder);
      } catch (const base::Error& e) {
        base::fail_at(w.place, "wheelset '{}': {}", w.name, e.what());
      }
    }
  }
}

void print_bodies(const vehicle::Vehicle& v) {
  const vehicle::NominalValues nominal(v.parameters);
  double total = 0;
  fmt::print("\n{:<36}{:>12}  {}\n", "body", "mass, kg", "moments of inertia, kg m^2");
  for (const vehicle::Body& b : v.bodies) {
    const double mass = nominal(b.mass);
    total += mass;
    fmt::print("{:<36}{:>12.2f}  {:.6g} {:.6g} {:.6g}{}\n", b.name, mass, nominal(b.inertia[0]),
               nominal(b.inertia[1]), nominal(b.inertia[2]),
               b.about_point ? "  about its point" : "");
  }
  fmt::print("{:<36}{:>12.2f}\n\n", "total", total);
}

void print_wheelsets(const vehicle::Vehicle& v) {
  if (v.wheelsets.empty()) return;
  const vehicle::NominalValues nominal(v.parameters);
  fmt::print("{:<24}{:>10}{:>12}  {}\n", "wheelset", "radius, m", "distance, m", "profiles");
  for (const vehicle::Wheelset& w : v.wheelsets)
    fmt::print("{:<24}{:>10.4f}{:>12.4f}  {}{}\n", w.name, w.radius, nominal(w.distance),
               w.profile_right,
               w.profile_left == w.profile_right ? "" : " (left: " + w.profile_left + ")");
  fmt::print("\n");
}

// On its default track: loads of the wheels and natural frequencies.
void print_standing(const std::string& path, const std::vector<vehicle::Setting>& settings) {
  vehicle::Scenario scenario = vehicle::load_scenario(path);
  if (scenario.vehicle.empty()) return;
  scenario.speed = 0;
  for (const vehicle::Setting& s : settings) scenario.parameters.push_back(s);
  exec::Options options;
  options.backend = exec::Backend::interpreter;  // nothing to compile for a look
  compile::PreparedRun p = compile::prepare_run(scenario, options);
  fmt::print("\nnormal force N of each wheel, standing on track '{}', in kN\n   ", p.track.name);
  const step::VehicleState& state = p.simulator->state();
  for (std::size_t i = 0; i < state.tread.size(); ++i)
    fmt::print(" {} {:.2f}", p.model->wheels[i].name, (state.tread[i].N + state.flange[i].N) / 1e3);
  const std::vector<start::Mode> modes = start::modes(*p.simulator, step::VehicleState(state));
  fmt::print("\nnatural frequencies without dampers, Hz\n   ");
  for (const start::Mode& m : modes) {
    if (m.frequency > 0.1) fmt::print(" {:.2f}", m.frequency);
  }
  fmt::print("\n");
  if (p.model->reference && p.model->reference->coordinates[2]) {
    fmt::print("bounce of '{}': {:.2f} Hz\n", p.model->reference->name,
               start::frequency_of(modes, *p.model->reference->coordinates[2]));
  }
}

void check_vehicle(const std::string& path, const std::vector<vehicle::Setting>& settings) {
  const vehicle::Vehicle v = vehicle::load_vehicle(path, settings);
  const std::unique_ptr<model::VehicleModel> m = model::build(v);
  check_profiles(v);
  fmt::print("{}{}{}\n{}\n", v.name, v.about.empty() ? "" : ": ", v.about, v.file);
  print_bodies(v);
  print_wheelsets(v);
  std::vector<std::string> coordinates, inputs;
  for (const vehicle::Coordinate& c : v.coordinates) coordinates.push_back(c.name);
  for (const vehicle::Input& i : v.inputs)
    inputs.push_back(i.unit.empty() ? i.name : fmt::format("{} ({})", i.name, i.unit));
  print_list("coordinates", coordinates);
  if (!inputs.empty()) print_list("inputs", inputs);
  print_list("kinds of force elements", kinds_of(v));
  fmt::print("{} parameters, {} constraints, {} outputs\n", m->mechanics.parameters().size(),
             m->mechanics.constraints().size(), m->mechanics.outputs().size());
  if (v.wheelsets.empty())
    fmt::print("no wheelset: it cannot run on a track\n");
  else
    print_standing(path, settings);
  for (const std::string& w : m->warnings) fmt::print("warning: {}\n", w);
}

void check_scenario(const std::string& path, const std::vector<vehicle::Setting>& settings) {
  vehicle::Scenario s = vehicle::load_scenario(path);
  s.parameters.insert(s.parameters.end(), settings.begin(), settings.end());
  const vehicle::Vehicle v = vehicle::load_vehicle(s.vehicle.string(), s.parameters);
  vehicle::check_scenario(s, v);
  const track::Track track = vehicle::load_track(s.track, s.folder());
  fmt::print("{}{}{}\n{}\n\n", s.name, s.about.empty() ? "" : ": ", s.about, s.file);
  fmt::print("vehicle      {} ({})\n", v.name, s.vehicle.string());
  fmt::print("track        {}\n", s.track);
  fmt::print("start        {} m/s at {} m, equilibrium {}\n", s.speed, s.position, s.equilibrium);
  for (const vehicle::Hold& h : s.hold) fmt::print("  held       {} = {}\n", h.coordinate, h.value);
  fmt::print("run          {} s in steps of {} s, {} ({})\n", s.duration, s.step, s.integrator,
             s.method);
  const vehicle::Material m = vehicle::material(v, s);
  fmt::print("creep        {}, friction {}, G {:.4g} GPa\n", s.law, s.friction, m.G / 1e9);
  for (const auto& [name, value] : s.law_values) fmt::print("  {:<10} {}\n", name, value);
  for (const auto& [wheel, mu] : s.wheel_friction) fmt::print("  friction   {} on {}\n", mu, wheel);
  fmt::print("contact      tread {}, {}, flange {}\n", s.tread, s.contact,
             s.flange ? "elastic" : "ignored");
  for (const vehicle::Signal& i : s.inputs)
    fmt::print("input        {}: {} at the start, {} at the end\n", i.input, i.at(0),
               i.at(s.duration));
}

}  // namespace

Command check_command() {
  struct Arguments {
    std::string file;
    std::vector<std::string> set;
    bool keys = false;
  };
  const auto a = std::make_shared<Arguments>();
  Command c{Group::simulate, "check", "Validate a vehicle or scenario without running it"};
  c.about =
      "Prints a summary: bodies, wheelsets, coordinates, loads of the wheels and natural "
      "frequencies. Mistakes are reported with file, line and column.";
  c.examples = {"klingel check manchester1", "klingel check my_vehicle.toml --set mass=42000",
                "klingel check --keys"};
  c.option("file", a->file, "Vehicle or scenario: a file, a vehicle's folder or a shipped name")
      .names(Names::scenario);
  add_setting_option(c, a->set);
  c.option("--keys", a->keys, "Print all keys of vehicle and scenario files instead");
  c.run = [a] {
    if (a->keys) {
      if (!a->file.empty() || !a->set.empty())
        base::fail("--keys prints all keys and checks nothing: leave out '{}'",
                   a->file.empty() ? "--set" : a->file);
      fmt::print("{}{}", vehicle::reference_text(vehicle::vehicle_sections()),
                 vehicle::reference_text(vehicle::scenario_sections()));
      return ExitCode::fine;
    }
    if (a->file.empty())
      base::fail("check needs a vehicle or scenario, e.g. 'klingel check feve3000'");
    const std::filesystem::path path = vehicle::find_scenario(a->file);
    if (vehicle::is_scenario(path))
      check_scenario(path.string(), settings_of(a->set));
    else
      check_vehicle(path.string(), settings_of(a->set));
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
