// The arguments with which a command names a wheelset on its track: profiles, for both sides or for
// each, and their positions. On the screen in mm, inside in m.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "contact/wheelset.hpp"
#include "profile/profile.hpp"

namespace klingel::cli {

using contact::Wheelset;

struct WheelsetOptions {
  // Profile names; those of a side come before those of both.
  struct Names {
    std::string both, left, right;

    const std::string& of(profile::Side side) const {
      const std::string& its = side == profile::Side::left ? left : right;
      return its.empty() ? both : its;
    }
    bool empty() const { return both.empty() && left.empty() && right.empty(); }
    bool differ() const { return of(profile::Side::left) != of(profile::Side::right); }
  };
  Names wheel, rail;
  double flange_back = 1360, gauge = 1435, gauge_height = 14, radius = 460;
  std::string inclination = "0";
  std::string roll = "auto";
};

void add_wheelset_options(Command& command, WheelsetOptions& options);

// The roll in rad; nothing for "auto". Error otherwise.
std::optional<double> roll_of(const WheelsetOptions& options);

// Reads the profiles; Errors as they come, and if one of the profiles is not named.
Wheelset make_wheelset(const WheelsetOptions& options);

// "S1002 on 60E1", or what is on the left and what on the right.
std::string description(const Wheelset& wheelset);

}  // namespace klingel::cli
