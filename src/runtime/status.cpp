#include "runtime/status.hpp"

#include <fmt/format.h>

namespace klingel::runtime {

std::string_view name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::not_converged:
      return "not converged";
    case Status::singular:
      return "singular";
    case Status::not_finite:
      return "not finite";
    case Status::derailed:
      return "derailed";
  }
  return "";
}

NameAndUnit name_and_unit(std::string_view text) {
  const std::size_t open = text.rfind(" [");
  if (open == std::string_view::npos || !text.ends_with(']')) return {std::string(text), ""};
  return {std::string(text.substr(0, open)),
          std::string(text.substr(open + 2, text.size() - open - 3))};
}

std::string quantity(double value, std::string_view unit) {
  return unit.empty() ? fmt::format("{:.3g}", value) : fmt::format("{:.3g} {}", value, unit);
}

std::string text(const Failure& f, std::span<const std::string> coordinate_names,
                 std::span<const std::string> constraint_names) {
  if (f.status == Status::ok) return "no failure";
  std::string where, unit;
  if (f.where == Failure::Where::coordinate && f.index < coordinate_names.size()) {
    where = fmt::format(" at coordinate '{}'", coordinate_names[f.index]);
  } else if (f.where == Failure::Where::constraint && f.index < constraint_names.size()) {
    const NameAndUnit constraint = name_and_unit(constraint_names[f.index]);
    where = fmt::format(" at constraint '{}'", constraint.name);
    unit = constraint.unit;
  }

  std::string result = fmt::format("t = {:.9g} s", f.t);
  if (f.step > 0) result += fmt::format(" (step {})", f.step);
  result += fmt::format(": {}: {}{}", f.equation, name(f.status), where);
  if (f.status == Status::not_converged) {
    result += fmt::format("\n    residual {}", quantity(f.residual, unit));
    if (f.iterations > 0) result += fmt::format(" after {} iterations", f.iterations);
    if (f.tolerance > 0) result += fmt::format(" (tolerance {})", quantity(f.tolerance, unit));
  } else if (f.status == Status::singular) {
    result += fmt::format("\n    pivot {:.3g} of the scaled mass matrix (tolerance {:.3g})",
                          f.residual, f.tolerance);
  }
  return result;
}

}  // namespace klingel::runtime
