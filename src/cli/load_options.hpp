// The arguments of a command for contact under load: the load of a wheel and what
// wheels and rails are made of. On the screen in kN and GPa, inside in N and Pa.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/wheelset_options.hpp"
#include "contact/loaded_wheelset.hpp"

namespace klingel::cli {

struct LoadOptions {
  std::string load;
  double E = 210, poisson = 0.28;

  bool given() const { return !load.empty(); }
};

void add_load_options(Command& command, LoadOptions& options);

// The wheelset under its load; Error if the load is not a positive number.
contact::LoadedWheelset make_loaded(const Wheelset& wheelset, const LoadOptions& options);

}  // namespace klingel::cli
