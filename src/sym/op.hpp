// The kinds of node in the atom graph.
//
// Every operation is unary or binary, as the article defines an atom: "binary operations between
// symbols, numbers and/or other atoms, or transcendental functions of atoms". Subtraction, negation
// and division are operations of their own, not sums and products with -1, because each is one
// machine instruction and the article counts operations.
#pragma once

#include <cstdint>
#include <string_view>

namespace klingel::sym {

enum class Op : std::uint8_t {
  // leaves
  integer,   // exact, |n| <= 2^53
  rational,  // exact, numerator and denominator below 2^31
  real,      // any other finite double
  symbol,
  // unary
  neg,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  exp,
  log,
  abs,
  sign,  // -1, 0, 1; the derivative of abs
  // binary
  add,
  sub,
  mul,
  div,
  pow,
  atan2,
  min,
  max,
};

inline constexpr int op_count = static_cast<int>(Op::max) + 1;

constexpr bool is_number(Op op) { return op <= Op::real; }
constexpr bool is_leaf(Op op) { return op <= Op::symbol; }
constexpr bool is_unary(Op op) { return op >= Op::neg && op <= Op::sign; }
constexpr bool is_binary(Op op) { return op >= Op::add; }
constexpr bool is_commutative(Op op) {
  return op == Op::add || op == Op::mul || op == Op::min || op == Op::max;
}

// The name used in text output, "add" or "sin".
std::string_view name(Op op);

}  // namespace klingel::sym
