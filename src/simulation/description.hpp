// A compiled vehicle on its track with everything a run needs, as plain values: kernels, wheels,
// rails and laws, how it starts, what acts on it, how it steps and what is recorded. Made from
// files by room compile, or by any other code that has kernels; nothing here depends on files,
// symbols or compilers.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "start/rolling.hpp"
#include "step/simulator.hpp"
#include "track/track.hpp"

namespace klingel::simulation {

// An input over time: linear between the points, constant before the first and after the last.
struct Signal {
  std::size_t input = 0;              // index, in the order of the kernels' u
  std::vector<double> times, values;  // s; N or N m; as many values as times, at least one

  double at(double t) const;
};

// Keeps a speed over distance by one input: mass (v(s + v response) - v) / response, with v the
// speed of the body and s the place of the wheels.
struct Driver {
  std::size_t input = 0;
  std::vector<double> s, speeds;    // m, ascending; m/s; linear between
  double mass = 0, response = 0.2;  // kg, s
};

// Friction of all wheels by place and side; linear between the points.
struct RailFriction {
  std::vector<double> s, left, right;  // m, ascending; coefficients
};

struct WheelFriction {
  std::size_t wheel = 0;
  double mu = 0;
};

// Far outside of what trains do; scenario files have the same limits.
inline constexpr double most_speed = 300, most_friction = 2;  // m/s, 1

// A value that follows parameters and has a limit: an output of the kernels' function `limits`.
struct ParameterLimit {
  bool positive = false;  // greater than zero; else not negative
  std::string what;       // "'stiffness' (file:line)"
};

struct Description {
  std::string scenario;    // name, for messages and files
  step::VehicleData data;  // its kernels are kept alive by `kernels`
  std::vector<std::shared_ptr<const void>> kernels;
  // Derivatives of the step (model/derivative_interface.hpp), kept alive by `kernels`, too; null:
  // a Lineariser takes differences.
  const klingel_kernel* derivatives = nullptr;
  track::Track track;

  start::Start start;
  bool steady = false;  // starts in steady motion through a curve; else as `start` says
  std::vector<Signal> inputs;
  std::vector<std::string> input_units;  // of all inputs, in the order of u; "" where none is given
  std::vector<std::string> parameter_units;  // of all parameters, alike; "" where it is not known
  std::vector<WheelFriction> friction;       // where it differs from data.friction
  std::optional<Driver> driver;
  std::optional<RailFriction> rail_friction;  // instead of both

  double step = 1e-3;    // s
  double duration = 10;  // s
  step::StepOptions method;

  double interval = 0.01;              // s between recorded rows
  std::vector<std::string> channels;   // patterns of what is recorded beside the default ones
  std::vector<ParameterLimit> limits;  // in the order of that function
  std::vector<std::string> warnings;
};

// Gives the inputs that have a signal their values at time t, the driver's force and the friction
// of the wheels where they are.
void set_inputs(const Description& description, step::Simulator& simulator, double t);

}  // namespace klingel::simulation
