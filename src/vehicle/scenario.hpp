// What a scenario file says: which vehicle runs where, how fast, with which inputs, step and laws.
// Plain values with defaults; names of coordinates, inputs and wheels are not compared with the
// vehicle here (see check_scenario). Keys are listed in keys.hpp and docs/vehicle_format.md.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "creep/creep_law.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::vehicle {

// An input over time: linear between the points, constant before the first and after the last.
struct Signal {
  std::string input;
  base::Place place;
  std::vector<double> times, values;  // s; N or N m; as many values as times, at least one

  double at(double t) const;
};

// Keeps a speed over distance, by a force on the reference body or by torques on all wheelsets.
struct Driver {
  enum class Mode { body, wheelsets };
  Mode mode = Mode::body;
  base::Place place;
  std::vector<double> s, speeds;  // m along the track, ascending; m/s; linear between
  double response = 0.2;          // s
};

// Friction along the track: linear between the points, constant before and after.
struct RailFriction {
  std::vector<double> s, left, right;  // m, ascending; coefficients
};

struct Hold {
  std::string coordinate;
  base::Place place;
  double value = 0;
};

struct Scenario {
  std::string name, about;
  std::string file;                // empty: defaults only
  std::filesystem::path vehicle;   // its vehicle.toml
  std::string track = "straight";  // name of a shipped track, or absolute path of a file
  double speed = 0;                // m/s, of the vehicle along the track
  double position = 0;             // m, of the reference body along the track
  double duration = 10;            // s
  double step = 1e-3;              // s
  std::string integrator = "imex";
  std::string method = "static_lu";
  std::string equilibrium = "static";
  std::vector<Hold> hold;

  // creep forces
  std::string law = "she";
  double friction = 0.3;
  std::map<std::string, double> wheel_friction;  // by wheel, where it differs
  std::string kalker = "linear";                 // interpolation of Kalker's table
  std::map<std::string, double> law_values;      // further numbers of a law, by name

  // contact
  std::string tread = "loaded";
  std::string contact = "unilateral";  // of a rigid tread
  bool flange = true;
  double flange_begin = 0.033, flange_end = 0.055;  // m, |u_w| of the zone
  double flange_stiffness = 5e7;                    // N/m along the normal
  double flange_damping = 1e5;                      // N s/m
  double rail_stiffness = 0, rail_damping = 0;      // behind loaded flanges; 0: rigid
  double curvature_floor = 0.05;                    // 1/m, lower bound of B

  // instead of those of the vehicle and of the track: shipped names or absolute paths; empty:
  // theirs
  std::string wheel_profile, rail_profile;

  std::optional<double> E, poisson, G;   // instead of the vehicle's material
  std::vector<Setting> parameters;       // of the vehicle, by full name
  std::optional<Reductions> reductions;  // instead of the vehicle's; 'small' as in its file
  std::vector<Setting> track_values;     // of studies, not of files: values of the track file
  std::vector<Signal> inputs;
  std::optional<Driver> driver;
  std::optional<RailFriction> rail_friction;  // instead of friction and wheel_friction

  double interval = 0.01;             // s, between recorded values
  std::vector<std::string> channels;  // patterns, "all", "default"; empty: the default ones

  // The place of a key in the file, for errors found later: "scenario.track", "creep.law" ...
  std::map<std::string, base::Place> places;
  base::Place place(const std::string& key) const;

  // Where the names in it are looked for first.
  std::filesystem::path folder() const { return std::filesystem::path(file).parent_path(); }
};

// The vehicle's material with what the scenario changes; G follows E and Poisson's ratio unless
// somebody gave it.
Material material(const Vehicle& vehicle, const Scenario& scenario);

// The creep law with the numbers that the scenario gives it; numbers that it does not have or
// cannot take are an Error at their place.
creep::CreepModel creep_model(const Scenario& scenario);

// The file of a scenario or a vehicle named on the command line: a file or the folder of a vehicle
// at that path, a shipped scenario, a shipped vehicle.
std::filesystem::path find_scenario(const std::string& name_or_path);

// A scenario file, a shipped scenario, or a vehicle (then the scenario.toml in its folder, or
// defaults if there is none).
Scenario load_scenario(const std::string& name_or_path);
Scenario parse_scenario(std::string_view text, const std::string& file);

// Whether a file is a scenario (it has a table of that name) and not a vehicle.
bool is_scenario(const std::filesystem::path& path);

// Errors with place and near names for held coordinates, inputs, parameters and wheels the vehicle
// does not have.
void check_scenario(const Scenario& scenario, const Vehicle& vehicle);

}  // namespace klingel::vehicle
