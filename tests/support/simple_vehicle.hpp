// A vehicle made in C++ for tests: kernels of a mech::Model with wheelsets, wheels and rails of
// simple shapes, and the simulator on them.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/load.hpp"
#include "gen/program.hpp"
#include "mech/model.hpp"
#include "model/contact.hpp"
#include "model/vehicle_interface.hpp"
#include "spline/spline_fit.hpp"
#include "start/start.hpp"
#include "step/simulator.hpp"

namespace klingel::support {

struct SimpleVehicle {
  std::unique_ptr<exec::Kernel> vehicle, contact;
  step::VehicleData data;
  std::unique_ptr<step::Simulator> simulator;
};

inline spline::CubicSpline straight_line(double begin, double end, double slope, double value) {
  return {{begin, end}, {{0, 0, slope, value, 0}}};
}

// A rail line along x at lateral place y.
inline track::RailLine straight_rail(double begin, double end, double y) {
  return {straight_line(begin, end, 1, 0), straight_line(begin, end, 0, y),
          straight_line(begin, end, 0, 0), straight_line(begin, end, 0, 0)};
}

// A head of radius R, as fine pieces of its circle.
inline spline::CubicSpline round_head(double R, double half_width = 0.03) {
  std::vector<double> u, f;
  for (int i = -60; i <= 60; ++i) {
    u.push_back(half_width * i / 60);
    f.push_back(std::sqrt(R * R - u.back() * u.back()) - R);
  }
  return spline::interpolate(u, f);
}

struct SimpleGeometry {
  double r0 = 0.45, half_base = 0.75, conicity = 0.05, head_radius = 0.3;
  double begin = -20, end = 400;
};

// The kernels of a model and its wheelsets, wheels and rails of the given geometry.
inline SimpleVehicle simple_vehicle(const std::string& name, const SimpleGeometry& g,
                                    mech::Model& m, const std::vector<model::Wheelset>& wheelsets) {
  SimpleVehicle v;
  const mech::Equations equations = mech::equations(m);
  const gen::Program program(m.graph(), name, model::vehicle_interface(m, equations, wheelsets));
  v.vehicle = std::make_unique<exec::Kernel>(exec::load(program));
  sym::Graph graph;
  const gen::Program contact(graph, "contact", model::contact_interface(graph));
  exec::Options on_lanes;
  on_lanes.emit.lanes = step::ContactSet::lanes;
  v.contact = std::make_unique<exec::Kernel>(exec::load(contact, on_lanes));

  v.data.name = name;
  v.data.vehicle = &v.vehicle->abi();
  v.data.contact = &v.contact->abi();
  v.data.left = {round_head(g.head_radius), straight_rail(g.begin, g.end, g.half_base)};
  v.data.right = {round_head(g.head_radius), straight_rail(g.begin, g.end, -g.half_base)};
  for (std::size_t k = 0; k < wheelsets.size(); ++k) {
    v.data.wheelsets.push_back(wheelsets[k].name);
    for (const profile::Side side : {profile::Side::right, profile::Side::left}) {
      const bool left = side == profile::Side::left;
      step::WheelData wheel;
      wheel.name = wheelsets[k].name + (left ? ".left" : ".right");
      wheel.wheelset = k;
      wheel.side = side;
      wheel.y_w = left ? g.half_base : -g.half_base;
      // the radius grows towards the middle of the track
      wheel.surface = {straight_line(-0.06, 0.06, left ? -g.conicity : g.conicity, g.r0)};
      v.data.wheels.push_back(wheel);
    }
  }
  v.simulator = std::make_unique<step::Simulator>(v.data);
  return v;
}

// build(model) adds everything and returns the wheelsets.
inline SimpleVehicle simple_vehicle(
    const std::string& name, const SimpleGeometry& g,
    const std::function<std::vector<model::Wheelset>(mech::Model&)>& build) {
  mech::Model m(name);
  const std::vector<model::Wheelset> wheelsets = build(m);
  return simple_vehicle(name, g, m, wheelsets);
}

// One wheelset with six coordinates x, y, z, yaw, roll, spin.
inline std::vector<model::Wheelset> free_wheelset(mech::Model& m, double mass, double I,
                                                  double I_spin, double z) {
  using namespace mech;
  const auto x = m.coordinate("x"), y = m.coordinate("y"), zq = m.coordinate("z", z);
  const auto yaw = m.coordinate("yaw"), roll = m.coordinate("roll"), spin = m.coordinate("spin");
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -9.81));
  const Point C = m.point("ws", m.origin(), m.vector(m.ground_base(), x.q, y.q, zq.q));
  const Base yawed = m.rotation("ws.yawed", m.ground_base(), axis::z, yaw.q);
  const Base still = m.rotation("ws.still", yawed, axis::x, roll.q);
  const Base turning = m.rotation("ws", still, axis::y, spin.q);
  m.body("ws", C, turning, mass, m.vector(turning, 0, 0, 0), m.inertia(turning, I, I_spin, I));
  return {{"ws", C, still, turning, {"ws.right", "ws.left"}}};
}

}  // namespace klingel::support
