// Constraints as a vehicle file gives them: one struct each, with its table in constraints.cpp.
#pragma once

#include <array>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "vehicle/value_types.hpp"

namespace klingel::vehicle {

struct Section;  // schema.hpp

struct Condition {
  static const Section table;
  Expression phi;
};
struct Coincide {
  static const Section table;
  std::array<PointName, 2> points;
  BaseName base;
  Axis normal;  // left out in a plane mechanism
};
struct Parallel {
  static const Section table;
  BaseName base, to_base;  // axis `axis` of base is parallel to axis `to_axis` of to_base
  Axis axis, to_axis;
};
struct Distance {
  static const Section table;
  std::array<PointName, 2> points;
  Expression length;
};
struct UnitNorm {
  static const Section table;
  std::array<Expression, 4> e;
};

// The list of all constraints.
using ConstraintData = std::variant<Condition, Coincide, Parallel, Distance, UnitNorm>;

struct Constraint {
  std::string name;
  base::Place place;
  ConstraintData what;
};

std::span<const Section* const> constraint_tables();
std::vector<std::string> points_of(const Constraint& constraint);

}  // namespace klingel::vehicle
