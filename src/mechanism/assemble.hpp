// Puts a mechanism together: coordinates with phi = 0 and rates with dphi_dq dq = beta, near the
// given ones, with some held. At setup only: allocates and throws.
//
//   mechanism::Assembly a = mechanism::assemble(mechanism, state, {.coordinates = {"crank"}, .rates
//   =
//   {"dcrank"}});
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace klingel::mechanism {

// Names of what must not change. Holding a coordinate does not hold its rate.
struct Held {
  std::vector<std::string> coordinates = {}, rates = {};
};

struct AssembleOptions {
  double position_tolerance = 1e-12;  // largest |phi|, in the unit of each constraint
  double velocity_tolerance = 1e-11;  // largest |dphi/dt|
  int max_iterations = 200;
};

// What was found. Independent is meant near this position: where a mechanism is momentarily
// singular (all links in line), `singular_position` says so.
struct Assembly {
  std::size_t degrees_of_freedom = 0;
  std::size_t independent = 0;  // constraints
  std::size_t redundant = 0;    // constraints that follow from the others
  bool singular_position = false;
  int iterations = 0;
  double largest_phi = 0;         // residual at the end
  double largest_correction = 0;  // of a coordinate
};

// Corrects the free coordinates by damped least squares (Levenberg-Marquardt), which approaches
// the correction of least norm, then the free rates by the least change; sets mechanism.rank().
// Throws Error, with the state as it was, when it cannot be done: which constraint is open by how
// much, whether the constraints contradict each other or could not be closed from here, and what
// to try.
Assembly assemble(Mechanism& mechanism, State& state, const Held& held = {},
                  const AssembleOptions& options = {});

}  // namespace klingel::mechanism
