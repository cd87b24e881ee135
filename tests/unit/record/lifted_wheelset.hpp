// One wheelset on straight track that an input can pull up, for tests of what is recorded of it.
#pragma once

#include "record/vehicle_channels.hpp"
#include "tests/support/simple_vehicle.hpp"
#include "track/track.hpp"

namespace klingel::record {

constexpr double mass = 1250, weight = mass * 9.81;

// Kernels are made once for all tests.
inline const step::VehicleData& lifted_wheelset() {
  static const support::SimpleVehicle v = support::simple_vehicle("lifted", {}, [](mech::Model& m) {
    const std::vector<model::Wheelset> wheelsets =
        support::free_wheelset(m, mass, 700, 100, 0.4501);
    m.add_force("lift", m.vector(m.ground_base(), 0, 0, m.input("lift")), m.point("ws"));
    return wheelsets;
  });
  return v.data;
}

// Rolling at 10 m/s, `offset` left of the middle.
inline step::Simulator rolling(double offset = 1e-3) {
  step::Simulator s(lifted_wheelset());
  step::VehicleState state = s.state();
  state.q = {0, offset, 0.4501, 0, 0, 0};
  start::settle(s, state, {.held = {0, 1, 3, 5}});
  state.dq = {10, 0, 0, 0, 0, 10 / start::rolling_radius(s, state, 0)};
  start::project_velocities(s, state);
  s.set_state(state);
  return s;
}

// The design the rails of the vehicle have, turned by a cant if asked for.
inline track::Track straight_track(double cant = 0) {
  track::TrackDescription d;
  d.name = "straight";
  d.rail_distance = 1.5;
  d.start.s = d.start.x = -20;
  track::Section section;
  section.length = 420;
  if (cant != 0) section.cant = track::Ramp{cant, cant};
  d.sections = {section};
  return track::build_track(d);
}

// x, y, z, roll, (no pitch), yaw among the coordinates x, y, z, yaw, roll, spin
inline constexpr BodyCoordinates wheelset_body = {0, 1, 2, 4, std::nullopt, 3};

}  // namespace klingel::record
