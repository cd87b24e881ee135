// Shortest round-trip text of a double; see number.hpp.
#include "base/number.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace klingel::base {

std::string shortest(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";

  // the longest shortest text of a double has 24 characters ("-2.2250738585072014e-308")
  char buffer[32];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, end);

  // "2" would be an int in C, and 1/2 zero
  if (std::string_view(text).find_first_of(".e") == std::string_view::npos) text += ".0";
  return text;
}

std::string shortest_json(double value) { return std::isfinite(value) ? shortest(value) : "null"; }

}  // namespace klingel::base
