// From a vehicle file's values to a model in symbols: the mechanics without wheel-rail contact, and
// where wheels, wheelsets and the reference body are in it. Contact is in contact.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mech/model.hpp"
#include "profile/profile.hpp"
#include "reduce/reductions.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::model {

struct WheelsetPlace {
  std::string name;  // "rear.front"
  mech::Point centre;
  mech::Base still;      // the base before the spin; y along the axle, to the left
  mech::Base spinning;   // the base the wheels turn with
  std::size_t spin = 0;  // index of the coordinate of spin
  std::array<std::size_t, 2> wheels = {0, 0};  // right, left
};

struct WheelPlace {
  std::string name;       // "rear.front.right"
  mech::Point reference;  // O_w, a point of the non-spinning base
  std::size_t wheelset = 0;
  profile::Side side = profile::Side::right;
  double y_w = 0;       // of O_w along y of the non-spinning base, m, at nominal parameters
  double radius = 0;    // at the taping line, m
  std::string profile;  // shipped name, or absolute path
};

// The body whose motion is reported as the vehicle's.
struct ReferenceBody {
  std::string name;
  mech::Point point;
  mech::Base base;
  // Indices of the coordinates x, y, z, roll, pitch, yaw; none where the file names none.
  std::array<std::optional<std::size_t>, 6> coordinates;
};

// A value that follows parameters and has a limit.
struct LimitedValue {
  sym::Expr value;
  bool positive = false;  // greater than zero; else not negative
  std::string what;       // for messages
};

struct VehicleModel {
  explicit VehicleModel(const std::string& name) : mechanics(name) {}

  mech::Model mechanics;
  std::vector<WheelsetPlace> wheelsets;  // in the order of the file
  std::vector<WheelPlace> wheels;        // per wheelset right, then left
  std::optional<ReferenceBody> reference;
  vehicle::Material material;
  std::vector<std::string> stiff;  // names of elements marked so
  bool exact_tangents = false;     // of these
  bool rigid_treads = true;        // wheels are held by constraints: no with tread = "loaded"
  std::vector<LimitedValue> limits;
  reduce::Options reductions;         // the mechanics has those of its inertias already
  std::vector<std::string> warnings;  // of the file and of the mechanics (unphysical inertia)
};

// Wrong mechanics that only show here (an inertia that depends on coordinates) are Errors with the
// place in the file.
std::unique_ptr<VehicleModel> build(const vehicle::Vehicle& vehicle);

}  // namespace klingel::model
