// The arguments with which a command names a wheelset on its track: two profiles and how they
// stand. On the screen in mm, inside in m.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "wheelrail/profile.hpp"
#include "wheelrail/wheelset_contact.hpp"

namespace klingel::cli {

struct WheelsetOptions {
  std::string wheel, rail;
  double flange_back = 1360, gauge = 1435, gauge_height = 14, radius = 460;
  std::string inclination = "0";
  std::string roll = "auto";
};

struct Wheelset {
  wheelrail::Profile wheel, rail;
  std::unique_ptr<wheelrail::WheelsetGeometry> geometry;
};

void add_wheelset_options(CLI::App& command, WheelsetOptions& options);

// The roll in rad; nothing for "auto". Error otherwise.
std::optional<double> roll_of(const WheelsetOptions& options);

// Reads the profiles; Errors as they come, and if one of the profiles is not named.
Wheelset make_wheelset(const WheelsetOptions& options);

}  // namespace klingel::cli
