// The two models of treads. Each has the same functions of the step; step.cpp calls them.
#pragma once

#include <variant>

#include "step/loaded_treads.hpp"
#include "step/point_results.hpp"
#include "step/rigid_treads.hpp"

namespace klingel::step {

using Treads = std::variant<RigidTreads, LoadedTreads>;

inline Treads make_treads(const Description& vehicle) {
  if (vehicle.data.loaded()) return LoadedTreads(vehicle);
  return RigidTreads(vehicle);
}

inline void find_results(const Treads& treads, PointResults& results) {
  std::visit(
      [&](const auto& t) {
        find_results(t.tread, results.tread);
        find_results(t.flange, results.flange);
      },
      treads);
}

}  // namespace klingel::step
