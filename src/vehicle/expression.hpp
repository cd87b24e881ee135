// Formulas in vehicle files as small trees with places: "L_bogie/2 + z", "sin(2*pi*t)".
//
//   + - * / ^ (right to left, binds tighter than a sign), parentheses, numbers, names with dots,
//   sin cos tan asin acos atan atan2 tanh sqrt exp log abs sign min max, if(c, a, b): a where c >
//   0, else b; table('file.csv', x); pi, t for time; and of the mechanics rate(x)              of a
//   coordinate stroke(P, Q)         distance of two points; stroke(P, Q, base.y): along an axis of
//   a base rate(P, Q), rate(P, Q, base.y)      their rates turn(base.z, other)  turn of another
//   base about an axis of the first; turn_rate() its rate
//
// Plain values: the meaning of a name is decided by the evaluation of the tree, in numbers here
// or in symbols in room model.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace klingel::vehicle {

struct Expression {
  enum class Kind { number, name, text, negate, add, subtract, multiply, divide, power, call };
  Kind kind = Kind::number;
  double number = 0;
  std::string name;  // of a name or of a function; a text
  std::vector<Expression> arguments;
  std::vector<std::array<double, 2>> points;  // of a call of table(), once names are resolved
  base::Place place;

  Expression() = default;
  Expression(double value) : number(value) {}
  bool is_number() const { return kind == Kind::number; }
};

// `place` is where the text begins; the nodes' places are counted from it. Wrong text is an Error
// that shows the place, what was expected there and, for an unknown function, the nearest one.
Expression parse_expression(std::string_view text, const base::Place& place);

// Whether it is a call whose arguments are points and bases: stroke(), turn(), turn_rate(), and
// rate() of two points.
bool is_of_places(const Expression& e);

// The value with numbers for names. pi is known; rate() and t are errors: they have no value yet.
double evaluate(const Expression& e, const std::function<double(const Expression& name)>& value);

// The formula as text again, with parentheses where they are needed.
std::string text(const Expression& e);

// Calls `see` for every name in the formula (not for pi and t), in the order of the text.
void for_names(const Expression& e, const std::function<void(const Expression&)>& see);

}  // namespace klingel::vehicle
