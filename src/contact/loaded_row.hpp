// Contact of a wheelset under load with what a table or picture of it shows: patches and approach.
#pragma once

#include <vector>

#include "contact/loaded_wheelset.hpp"

namespace klingel::contact {

struct LoadedRow {
  struct Wheel {
    std::vector<Patch> patches;
    double approach = 0;  // m
  };
  LoadedContact contact;
  Wheel left, right;

  const Wheel& on(profile::Side side) const { return side == profile::Side::left ? left : right; }
};

LoadedRow loaded_row(const LoadedWheelset& wheelset, const LoadedContact& contact);

}  // namespace klingel::contact
