// Trains: a vehicle file may list units, which are whole vehicles of other files, and a coupler
// that joins each to the next. Units become one Vehicle: their names get the unit's name in front,
// they are one behind the other, couplers are springs along the line between points of their
// reference bodies. What follows (model, run, record) sees one long vehicle.
//
// Units are not turned round.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vehicle/extension.hpp"

namespace klingel::vehicle {

// What joins each unit to the next: a spring and damper along the line between two points. With
// slack it has no force within half the slack on both sides of its length; with a curve draw gear
// and buffers differ.
struct Coupler {
  Expression length, stiffness, damping, preload;
  std::optional<Expression> slack;
  Curve curve;
};

// One vehicle of the train before its names are looked up.
struct UnitFile {
  std::string name;  // "coach2"
  Table table;       // its [[unit]]
  Chain chain;       // its file and what that extends; the last one is whole
  const Document& whole() const { return chain.back(); }
};

// Units of a file, front first, with counts resolved; values they are given by the train and by
// files that extend others are added to the overrides.
std::vector<UnitFile> units_of(const Document& file, Overrides& overrides);

// Declares the points and elements that join_units() makes, so that the train's file can use them.
void declare_couplers(Table train, const std::vector<UnitFile>& units, Names& names);

// What a unit's file says about the vehicle as a whole, names resolved.
struct UnitHeading {
  std::optional<Triple> gravity;
  std::optional<Reference> reference;
};

// Puts units that were read into `vehicle`, each at its own origin, one behind the other and adds
// the couplers. Units that stand on the ground or lack what a coupler needs are Errors.
void join_units(Table train, const std::vector<UnitFile>& units,
                const std::vector<UnitHeading>& headings, const Names& names,
                const NominalValues& nominal, Vehicle& vehicle);

}  // namespace klingel::vehicle
