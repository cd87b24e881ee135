#include "sym/op.hpp"

#include <array>

namespace klingel::sym {

std::string_view name(Op op) {
  static constexpr std::array<std::string_view, op_count> names = {
      "integer", "rational", "real", "symbol", "neg",   "sqrt", "sin",  "cos",
      "tan",     "asin",     "acos", "exp",    "log",   "abs",  "sign", "add",
      "sub",     "mul",      "div",  "pow",    "atan2", "min",  "max"};
  return names[static_cast<std::size_t>(op)];
}

}  // namespace klingel::sym
