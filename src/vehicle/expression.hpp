// Formulas in vehicle files as small trees with places: "L_bogie/2 + z", "sin(2*pi*t)".
//
//   + - * / ^ (right to left, binds tighter than a sign), parentheses, numbers, names with dots,
//   sin cos tan asin acos atan atan2 sqrt exp log abs sign min max, rate(x) for the time
//   derivative of a coordinate, pi, t for time.
//
// Plain values: the meaning of a name is decided by the evaluation of the tree, in numbers here
// or in symbols in room model.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace klingel::vehicle {

struct Expression {
  enum class Kind { number, name, negate, add, subtract, multiply, divide, power, call };
  Kind kind = Kind::number;
  double number = 0;
  std::string name;  // of a name or of a function
  std::vector<Expression> arguments;
  base::Place place;

  Expression() = default;
  Expression(double value) : number(value) {}
  bool is_number() const { return kind == Kind::number; }
};

// `place` is where the text begins; the nodes' places are counted from it. Wrong text is an Error
// that shows the place, what was expected there and, for an unknown function, the nearest one.
Expression parse_expression(std::string_view text, const base::Place& place);

// The functions that can be called, with the number of their arguments.
struct ExpressionFunction {
  std::string_view name;
  std::size_t arguments;
};
std::span<const ExpressionFunction> expression_functions();

// The value with numbers for names. pi is known; rate() and t are errors: they have no value yet.
double evaluate(const Expression& e, const std::function<double(const Expression& name)>& value);

// The formula as text again, with parentheses where they are needed.
std::string text(const Expression& e);

// Calls `see` for every name in the formula (not for pi and t), in the order of the text.
void for_names(const Expression& e, const std::function<void(const Expression&)>& see);

}  // namespace klingel::vehicle
