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

// Suspensions with characteristics, friction and internal states. Without `along` they act along
// the line between their points, with it along that axis of `axes`.
struct Strut {
  static const Section table;
  PointName from, to;
  BaseName axes;
  Axis along;
  Expression stiffness, preload;
  std::vector<Expression> polynomial;
  Curve curve;
  std::optional<Expression> rest, clearance, push_clearance;
  Expression stop_stiffness, stop_damping, damping;
  std::optional<Expression> blow_off;
  Expression blow_off_damping;
  Curve damper_curve;
};

struct SeriesDamper {
  static const Section table;
  PointName from, to;
  BaseName axes;
  Axis along;
  Expression end_stiffness, damping;
  std::optional<Expression> blow_off;
  Expression blow_off_damping;
  Curve damper_curve;
  Expression stiffness, preload;
  std::optional<Expression> rest;
};

struct Friction {
  static const Section table;
  PointName from, to;
  BaseName axes;
  Axis along, across;
  Expression force, stick_stiffness;
};

struct FrictionTorque {
  static const Section table;
  BaseName from, to;
  Axis axis;
  Expression torque, stick_stiffness;
};

struct AntiRollBar {
  static const Section table;
  std::array<PointName, 2> from, to;
  BaseName axes;
  Axis along;
  Expression stiffness, damping;
};

struct AirSpring {
  static const Section table;
  PointName from, to;
  BaseName axes;
  Axis along;
  Expression pressure, outside_pressure, area, area_change, volume, reservoir, exponent;
  Expression orifice_damping, shear_stiffness, shear_damping;
};

// The list of all force elements. Files are read, keys listed and elements counted in this order.
using ElementData = std::variant<IsotropicSpring, LineSpring, Bushing, TorsionSpring, GearPair,
                                 AppliedForce, AppliedTorque, Strut, SeriesDamper, Friction,
                                 FrictionTorque, AntiRollBar, AirSpring>;

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
