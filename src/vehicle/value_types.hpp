// Types of values in vehicle files. A type defines the values that a key allows, so the table of an
// element (schema.hpp) need not; names are typed by what they name, so a point is never taken for a
// base.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "vehicle/expression.hpp"

namespace klingel::vehicle {

using Triple = std::array<Expression, 3>;

// A direction by its components. A file may give a coordinate axis instead: "x".
struct Direction {
  Triple components;
};

// A coordinate axis: "x", "y", "z" in a file.
struct Axis {
  int index = -1;  // 0, 1, 2; -1: none
  bool given() const { return index >= 0; }
};

// A curve through points, by ascending first values: [[0, 0], [0.01, 5e3]] or a CSV file of two
// columns.
struct Curve {
  std::vector<std::array<double, 2>> points;  // empty: none
  bool given() const { return !points.empty(); }
};

enum class NameKind { parameter, coordinate, input, point, base, body, element };

constexpr std::string_view kind_name(NameKind kind) {
  constexpr std::string_view names[] = {"parameter", "coordinate", "input",  "point",
                                        "base",      "body",       "element"};
  return names[static_cast<int>(kind)];
}

// A full name: "rear.front.axle".
template <NameKind kind>
struct FullName {
  std::string text;  // empty: none

  bool empty() const { return text.empty(); }
  operator const std::string&() const { return text; }
  bool operator==(std::string_view other) const { return text == other; }
  bool operator==(const FullName&) const = default;
};

using PointName = FullName<NameKind::point>;
using BaseName = FullName<NameKind::base>;
using BodyName = FullName<NameKind::body>;
using CoordinateName = FullName<NameKind::coordinate>;

}  // namespace klingel::vehicle
