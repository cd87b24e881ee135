// Coordinates that an equilibrium may change: all but those that are held.
#pragma once

#include <vector>

#include "start/unit_differences.hpp"
#include "step/description.hpp"

namespace klingel::start {

struct FreeCoordinates {
  FreeCoordinates(const step::Description& vehicle, const std::vector<std::size_t>& held);

  std::vector<std::size_t> list;
  std::vector<std::size_t> units;  // the unit of each
  std::vector<int> place;          // by coordinate: its place in the list, or -1

  // Of a value for each coordinate.
  Eigen::VectorXd part(const Eigen::VectorXd& all) const;
  // Rows of coordinates become rows of free ones; others are dropped.
  void keep_rows(Triplets& entries) const;
};

// The unit of each wheelset: that of the coordinates that move it.
std::vector<std::size_t> wheelset_units(const step::Description& vehicle);

}  // namespace klingel::start
