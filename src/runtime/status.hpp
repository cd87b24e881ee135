// How a numeric failure is reported: a status that every step returns, and a record of what went
// wrong. Nothing here allocates except text(), which is for readers. Wrong input is not a numeric
// failure: that is a base::Error at setup.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace klingel::runtime {

enum class Status {
  ok,
  not_converged,  // an iteration hit its limit, or a step size became too small
  singular,       // forces do not determine the accelerations: a motion without inertia
  not_finite,     // NaN or infinite
  derailed,       // a wheel has left its rail for good: a result, not a failure of ours
};

// "ok", "not converged", "singular", "not finite", "derailed".
std::string_view name(Status status);

// The last failure. The state that was given to the failed call is untouched and valid.
struct Failure {
  enum class Where { none, coordinate, constraint };

  Status status = Status::ok;
  double t = 0;               // s, of the last good state
  std::int64_t step = 0;      // the step that failed, counted from 1; 0 outside of steps
  const char* equation = "";  // what was being computed: "M_qq", "projection of q", ...
  Where where = Where::none;
  std::uint32_t index = 0;  // of the coordinate or constraint
  double residual = 0;
  double tolerance = 0;  // 0 where there is none
  int iterations = 0;
};

// The failure as two lines, with names by index. A constraint's name may end in its unit in
// brackets, "loop.x [m]", which is then written after the numbers.
std::string text(const Failure& failure, std::span<const std::string> coordinate_names,
                 std::span<const std::string> constraint_names);

// "loop.x [m]" is "loop.x" and "m"; without brackets the unit is empty.
struct NameAndUnit {
  std::string name, unit;
};
NameAndUnit name_and_unit(std::string_view text);

// A number for a message, three digits, with the unit if there is one: "0.31 m".
std::string quantity(double value, std::string_view unit);

}  // namespace klingel::runtime
