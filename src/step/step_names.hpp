// The schemes and methods of the step by the words scenarios and the command line use for them:
//   imex  imex_printed  explicit_euler  trapezoidal  reference
//   static_lu  partitioning
#pragma once

#include <string_view>

#include "step/step_options.hpp"

namespace klingel::step {

std::string_view name(Scheme scheme);
std::string_view name(LinearMethod method);

// A dash counts as an underscore: "imex-printed". An unknown word is an Error that lists the known
// ones.
Scheme scheme_by_name(std::string_view word);
LinearMethod linear_method_by_name(std::string_view word);

}  // namespace klingel::step
