// What the simulator is given: kernels, wheels, rails, and the laws between them. Plain values,
// made by the code that read the files; nothing here depends on their origin.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contact/charted_pair.hpp"
#include "contact/contact_search.hpp"
#include "contact/elastic_contact.hpp"
#include "contact/surfaces.hpp"
#include "creep/creep_law.hpp"
#include "creep/kalker.hpp"
#include "kernel/abi.h"
#include "profile/profile.hpp"

namespace klingel::step {

// Charts of a wheel on the rail profile at a place along the track.
struct ChartPlace {
  double s;
  std::shared_ptr<const contact::ChartedPair> pair;
};

struct WheelData {
  std::string name;      // "rear.front.right"
  std::size_t wheelset;  // index
  profile::Side side;    // of the track
  double y_w;            // place on the axis, from the wheelset's centre, m
  contact::WheelSurface surface;
  // Where on the wheel (u_w) its first point stays, and where further points are looked for. An
  // empty zone (low > high) means that there are none.
  contact::Interval tread, flange{1, -1};
  // With these charts the contact is the loaded one, and the zones above are not used.
  std::shared_ptr<const contact::ChartedPair> pair;
  // Where rail profiles change along the track: two or more places, ascending, all with a flange
  // or all without; linear between, constant outside. The first one's is `pair`.
  std::vector<ChartPlace> places;
};

// Track that gives way under each wheelset (yielding_track.hpp): of the piece under one wheelset,
// both rails together.
struct Foundation {
  double mass = 0;                                    // kg; zero: rails do not move
  double lateral_stiffness = 0, lateral_damping = 0;  // N/m, N s/m
  double vertical_stiffness = 0, vertical_damping = 0;
  bool given() const { return mass > 0; }
};

struct ContactLaw {
  creep::CreepModel creep;
  double E = 210e9, poisson = 0.27, G = 82.677e9;  // Pa, -, Pa
  creep::KalkerInterpolation kalker = creep::KalkerInterpolation::smooth;
  double B_floor = 0;     // least curvature across, 1/m
  double V_floor = 1e-3;  // m/s: below it slip velocities count as at this speed
  contact::ElasticContact flange{contact::ElasticLaw::linear, 5e7, 1e5};
  bool unilateral = true;  // treads leave the rail instead of being pulled, not so in the article
  // Of the rail behind a loaded flange, along its normal: N/m, zero for a rail that does not give
  // way, and N s/m beside it.
  double rail_stiffness = 0, rail_damping = 0;
  double lost_gap = 0.05;  // m: a wheel that far above its rail has left it for good
  Foundation foundation;   // of loaded treads
};

// A channel that the vehicle's kernels compute: an element of `measured`, or with accelerations of
// `felt`, in this order (model/vehicle_interface.hpp).
struct MeasureData {
  std::string name, unit, about;
  bool felt = false;  // known after the step that begins at t
};

// Units of a train, for methods that go through it unit by unit: forces on the coordinates of a
// unit depend on these and on those of units joined to it, and a wheelset moves with one unit.
struct Units {
  std::vector<std::size_t> of;                     // by coordinate; empty: one unit has all
  std::vector<std::array<std::size_t, 2>> joined;  // pairs, each once
  std::size_t count() const { return of.empty() ? 1 : 1 + *std::max_element(of.begin(), of.end()); }
};

struct VehicleData {
  std::string name;
  const klingel_kernel* vehicle = nullptr;  // model/vehicle_interface.hpp
  const klingel_kernel* contact = nullptr;  // model/contact.hpp; only rigid treads need it
  std::vector<std::string> wheelsets;
  std::vector<WheelData> wheels;  // in the order of the kernel's W_n
  contact::RailSurface left, right;
  ContactLaw law;
  double friction = 0.3;  // of every wheel at the start
  std::vector<MeasureData> measures;
  Units units;

  const contact::RailSurface& rail(const WheelData& wheel) const {
    return wheel.side == profile::Side::left ? left : right;
  }
  // Whether all wheels have charts; some with and some without is an Error of the simulator.
  bool loaded() const { return !wheels.empty() && wheels.front().pair != nullptr; }
};

}  // namespace klingel::step
