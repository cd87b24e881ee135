// A curve through points as an expression: force over deflection or over speed.
//
// Between the points it is a cubic with slopes after Fritsch and Carlson, so that it is C1 and
// never turns back where the points do not; beyond the ends it goes on as a straight line with the
// slope of its first or last interval.
#pragma once

#include <array>
#include <vector>

#include "sym/expr.hpp"

namespace klingel::mech {

using sym::Expr;

class Characteristic {
 public:
  // Points by ascending x, at least two; else an Error that shows them.
  explicit Characteristic(std::vector<std::array<double, 2>> points);

  Expr value(Expr x) const;
  Expr slope(Expr x) const;
  Expr integral(Expr x) const;  // from the first point

  // The curve through the same points with x and y exchanged; y must rise.
  Characteristic inverse() const;

 private:
  std::vector<std::array<double, 2>> points_;
  std::vector<double> slopes_;  // at the points
};

}  // namespace klingel::mech
