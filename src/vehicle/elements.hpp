// Force elements as a vehicle file gives them: one struct each. What its keys are called, their
// units, defaults and meanings are in its table (`table`, in element_*.cpp); what it does is in
// room mech. How to add one: docs/adding_an_element.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "vehicle/value_types.hpp"

namespace klingel::vehicle {

struct Section;  // schema.hpp

struct IsotropicSpring {
  static const Section table;
  PointName from, to;
  BaseName seen_from;
  Expression stiffness, damping;
  std::optional<Triple> preload;
  BaseName preload_base;
};

struct LineSpring {
  static const Section table;
  PointName from, to;
  Expression stiffness, damping, natural_length, preload;
};

struct Bushing {
  static const Section table;
  PointName from, to;
  BaseName from_base, to_base, axes;
  Triple stiffness, damping, turning_stiffness, turning_damping;
};

struct TorsionSpring {
  static const Section table;
  BaseName from, to, axis_base;
  Direction axis;
  Expression angle, stiffness, damping, rest, preload;
};

struct Gear {
  static const Section table;
  PointName point;
  BaseName base;
  Expression angle, radius;
};
struct GearPair {
  static const Section table;
  Gear one, two;
  PointName mesh;
  BaseName line_base;
  Direction line;
  Expression stiffness, damping;
};

struct AppliedForce {
  static const Section table;
  PointName to, from;  // `from` may be empty
  BaseName base;
  Triple force;
};

struct AppliedTorque {
  static const Section table;
  BaseName to, from;  // `from` may be empty
  BaseName base;
  Triple torque;
};

// The list of all force elements. Files are read, keys listed and elements counted in this order.
using ElementData = std::variant<IsotropicSpring, LineSpring, Bushing, TorsionSpring, GearPair,
                                 AppliedForce, AppliedTorque>;

struct Element {
  std::string name;
  base::Place place;
  bool stiff = false;  // the time step treats this force implicitly
  ElementData what;
};

// The tables of all elements, by index of the variant, and that of one.
std::span<const Section* const> element_tables();
const Section& table_of(const Element& element);

// The points an element cannot do without. A spring has two: its ends.
std::vector<std::string> points_of(const Element& element);

}  // namespace klingel::vehicle
