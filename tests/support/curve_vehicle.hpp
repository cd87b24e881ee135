// Vehicles for tests of the methods: a small bogie, a vehicle file on simple wheels and rails, and
// curves of constant radius and cant to put them on.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "mech/elements.hpp"
#include "model/build.hpp"
#include "tests/support/simple_vehicle.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::support {

// A curve that passes the origin along x: curvature positive to the left, cant angle positive with
// the left rail high.
struct Curve {
  double curvature = 0, cant = 0;
};

// The line at `left` of the track's centre line, in its canted plane.
inline track::RailLine arc_rail(const Curve& c, double left, double begin, double end) {
  std::vector<double> s, x, y, z, cant;
  const int steps = static_cast<int>(std::ceil((end - begin) / 0.5));
  for (int i = 0; i <= steps; ++i) {
    s.push_back(begin + (end - begin) * i / steps);
    const double k = c.curvature, psi = k * s.back();
    const double across = left * std::cos(c.cant);
    x.push_back((k == 0 ? s.back() : std::sin(psi) / k) - std::sin(psi) * across);
    y.push_back((k == 0 ? 0.0 : (1 - std::cos(psi)) / k) + std::cos(psi) * across);
    z.push_back(left * std::sin(c.cant));
    cant.push_back(c.cant);
  }
  return {spline::interpolate(s, x), spline::interpolate(s, y), spline::interpolate(s, z),
          spline::interpolate(s, cant)};
}

inline void put_on(SimpleVehicle& v, const SimpleGeometry& g, const Curve& c) {
  v.data.left.line = arc_rail(c, g.half_base, g.begin, g.end);
  v.data.right.line = arc_rail(c, -g.half_base, g.begin, g.end);
  v.simulator = std::make_unique<step::Simulator>(v.data);
}

// Two wheelsets of 1,200 kg with axle springs in a frame of 3,000 kg that carries a load of 6,000
// kg above it. Coordinates of the frame x, y, z, yaw, roll, pitch, of the wheelsets in it x, y, z,
// yaw, roll, spin.
struct Bogie {
  static constexpr double frame_mass = 9000, wheelset_mass = 1200, half_wheelbase = 1.25;
  static constexpr double height = 0.9;  // of the frame's centre of mass above the rails
  static constexpr std::size_t coordinates = 18;
  static constexpr std::array<std::size_t, 2> spins = {11, 17};
};

inline std::vector<model::Wheelset> bogie(mech::Model& m, double r0) {
  using namespace mech;
  const auto x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z", Bogie::height);
  const auto yaw = m.coordinate("yaw"), roll = m.coordinate("roll"), pitch = m.coordinate("pitch");
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
  const Point F = m.point("frame", m.origin(), m.vector(m.ground_base(), x.q, y.q, z.q));
  const Base yawed = m.rotation("frame.yawed", m.ground_base(), axis::z, yaw.q);
  const Base rolled = m.rotation("frame.rolled", yawed, axis::x, roll.q);
  const Base frame = m.rotation("frame", rolled, axis::y, pitch.q);
  m.body("frame", F, frame, Bogie::frame_mass, m.vector(frame, 0, 0, 0),
         m.inertia(frame, 5000, 7000, 9000));
  std::vector<model::Wheelset> wheelsets;
  for (const std::string name : {"rear", "front"}) {
    const double place = name == "front" ? Bogie::half_wheelbase : -Bogie::half_wheelbase;
    const auto cx = m.coordinate(name + ".x"), cy = m.coordinate(name + ".y"),
               cz = m.coordinate(name + ".z", r0 - Bogie::height);
    const auto cyaw = m.coordinate(name + ".yaw"), croll = m.coordinate(name + ".roll"),
               spin = m.coordinate(name + ".spin");
    const Point C = m.point(name, F, m.vector(frame, place + cx.q, cy.q, cz.q));
    const Base turned = m.rotation(name + ".turned", frame, axis::z, cyaw.q);
    const Base still = m.rotation(name + ".still", turned, axis::x, croll.q);
    const Base spinning = m.rotation(name, still, axis::y, spin.q);
    m.body(name, C, spinning, Bogie::wheelset_mass, m.vector(spinning, 0, 0, 0),
           m.inertia(spinning, 700, 100, 700));
    for (const double side : {-1.0, 1.0}) {
      const std::string box = name + (side < 0 ? ".right_spring" : ".left_spring");
      const Point upper =
          m.point(box + ".upper", F, m.vector(frame, place, side, r0 - Bogie::height + 0.04));
      const Point lower = m.point(box + ".lower", C, m.vector(still, 0, side, 0));
      mech::Bushing data;
      data.stiffness = {5e6, 2e6, 6e5};
      data.damping = {2e3, 2e3, 1e4};
      bushing(m, box, {upper, frame}, {lower, still}, frame, data);
    }
    wheelsets.push_back({name, C, still, spinning, {name + ".right", name + ".left"}});
  }
  return wheelsets;
}

inline SimpleVehicle bogie_vehicle(const SimpleGeometry& g = {}, const Curve& c = {}) {
  SimpleVehicle v = simple_vehicle("test_bogie", g, [&](mech::Model& m) { return bogie(m, g.r0); });
  put_on(v, g, c);
  return v;
}

// A vehicle file's mechanics on wheels and rails of simple shapes.
struct FileVehicle : SimpleVehicle {
  std::unique_ptr<model::VehicleModel> model;
  SimpleGeometry geometry;
};

inline FileVehicle file_vehicle(const std::string& name, const Curve& c = {}) {
  FileVehicle v;
  v.model =
      model::build(vehicle::load_vehicle(KLINGEL_SOURCE_DIR "/vehicles/" + name + "/vehicle.toml"));
  std::vector<model::Wheelset> wheelsets;
  for (const model::WheelsetPlace& w : v.model->wheelsets) {
    const std::string right = v.model->wheels[w.wheels[0]].name;
    const std::string left = v.model->wheels[w.wheels[1]].name;
    wheelsets.push_back({w.name, w.centre, w.still, w.spinning, {right, left}});
  }
  v.geometry.r0 = v.model->wheels.front().radius;
  v.geometry.half_base = std::abs(v.model->wheels.front().y_w);
  static_cast<SimpleVehicle&>(v) =
      simple_vehicle(v.model->mechanics.name(), v.geometry, v.model->mechanics, wheelsets);
  put_on(v, v.geometry, c);
  return v;
}

inline std::size_t index_of(const step::Simulator& s, const std::string& coordinate) {
  const std::vector<std::string>& names = s.coordinate_names();
  const auto found = std::find(names.begin(), names.end(), coordinate);
  KLINGEL_ASSERT(found != names.end());
  return static_cast<std::size_t>(found - names.begin());
}

// The locomotive with its sliders over the curve's centre line, settled, then rolling: x, y, all
// yaw angles and spins held.
inline step::VehicleState start_locomotive(FileVehicle& v, const Curve& c, double speed, double y) {
  step::Simulator& s = *v.simulator;
  step::VehicleState state = s.state();
  const runtime::KernelSet kernels(*v.data.vehicle);
  const std::span<const double> nominal = kernels.value(kernels.input("q"));
  state.q.assign(nominal.begin(), nominal.end());
  const double half = 9.5 / 2;
  const auto at = [&](const std::string& name) -> double& { return state.q[index_of(s, name)]; };
  at("x") = 0;
  at("y") = y + c.curvature * half * half / 2;
  at("rear.yaw") = -c.curvature * half;
  at("front.yaw") = c.curvature * half;
  at("roll") = c.cant;
  start::Equilibrium held;
  for (std::size_t i = 0; i < s.coordinates(); ++i) {
    const std::string& name = s.coordinate_names()[i];
    const std::string last = name.substr(name.rfind('.') + 1);
    if (last == "x" || last == "y" || last == "yaw" || last == "spin" || last == "rotor")
      held.held.push_back(i);
  }
  start::settle(s, state, held);
  state.dq.assign(s.coordinates(), 0);
  state.dq[index_of(s, "x")] = speed;
  state.dq[index_of(s, "yaw")] = speed * c.curvature;
  for (std::size_t k = 0; k < v.data.wheelsets.size(); ++k) {
    const std::string& name = v.data.wheelsets[k];
    const double spin = speed / start::rolling_radius(s, state, k);
    state.dq[index_of(s, name + ".spin")] = spin;
    if (name.starts_with("rear.")) state.dq[index_of(s, name + ".rotor")] = -4.25 * spin;
  }
  start::project_velocities(s, state);
  return state;
}

}  // namespace klingel::support
