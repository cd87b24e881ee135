#include "cli/loaded_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace klingel::cli {

using contact::LoadedSide;
using contact::Patch;
using profile::Side;

namespace {

const char* name(Side side) { return side == Side::left ? "left" : "right"; }

}  // namespace

std::string fixed(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return text;
}

void print_loaded_csv(const std::vector<LoadedRow>& rows) {
  fmt::print(
      "y,yaw,side,wheel_u,rail_u,angle,rolling_radius,roll,lift,jump,second,"
      "patches,share,a,b,approach\n");
  for (const LoadedRow& row : rows) {
    for (const Side side : {Side::left, Side::right}) {
      const LoadedSide& s = row.contact.on(side);
      const LoadedRow::Wheel& wheel = row.on(side);
      const Patch& first = wheel.patches.front();
      // nothing jumps, and what was a second point is a patch
      fmt::print("{:g},{:g},{},{},{},{},{},{},{},0,,{},{},{},{},{}\n", 1e3 * row.contact.y,
                 row.contact.yaw, name(side), fixed(1e3 * s.wheel_y, 5), fixed(1e3 * s.rail_y, 5),
                 fixed(s.angle, 7), fixed(1e3 * s.rolling_radius, 5), fixed(row.contact.roll, 9),
                 fixed(1e3 * s.lift, 5), wheel.patches.size(), fixed(first.share, 4),
                 fixed(1e3 * first.a, 3), fixed(1e3 * first.b, 3), fixed(1e3 * wheel.approach, 5));
    }
  }
}

void print_patches_csv(const std::vector<LoadedRow>& rows) {
  fmt::print("y,yaw,side,patches,patch,force,share,wheel_u,rail_u,rail_min,rail_max,length,a,b\n");
  for (const LoadedRow& row : rows) {
    for (const Side side : {Side::left, Side::right}) {
      const std::vector<Patch>& patches = row.on(side).patches;
      for (std::size_t i = 0; i < patches.size(); ++i) {
        const Patch& p = patches[i];
        fmt::print("{:g},{:g},{},{},{},{},{},{},{},{},{},{},{},{}\n", 1e3 * row.contact.y,
                   row.contact.yaw, name(side), patches.size(), i + 1, fixed(p.N, 1),
                   fixed(p.share, 4), fixed(1e3 * p.u_w, 3), fixed(1e3 * p.u_r, 3),
                   fixed(1e3 * p.rail_low(), 2), fixed(1e3 * p.rail_high(), 2),
                   fixed(1e3 * p.zone.length(), 2), fixed(1e3 * p.a, 3), fixed(1e3 * p.b, 3));
      }
    }
  }
}

void print_loaded_table(const std::vector<LoadedRow>& rows) {
  const auto line = [](auto... cells) {
    fmt::print("{:>8}{:>7}{:>10}{:>10}{:>9}{:>11}{:>10}{:>9}{:>10}{:>7}{:>7}  {}\n", cells...);
  };
  line("y", "side", "wheel_u", "rail_u", "angle", "radius", "roll", "lift", "approach", "a", "b",
       "patches on the rail: from, to, share");
  line("mm", "", "mm", "mm", "deg", "mm", "mrad", "mm", "um", "mm", "mm", "mm, mm, %");
  for (const LoadedRow& row : rows) {
    for (const Side side : {Side::left, Side::right}) {
      const LoadedSide& s = row.contact.on(side);
      const LoadedRow::Wheel& wheel = row.on(side);
      std::string rest;
      for (const Patch& p : wheel.patches) {
        rest +=
            fmt::format("{}{} {} {:.0f}", rest.empty() ? "" : "; ", fixed(1e3 * p.rail_low(), 1),
                        fixed(1e3 * p.rail_high(), 1), 100 * p.share);
      }
      if (s.at_end) rest += "; end of a profile";
      const Patch& first = wheel.patches.front();
      line(side == Side::left ? fmt::format("{:g}", 1e3 * row.contact.y) : "", name(side),
           fixed(1e3 * s.wheel_y, 3), fixed(1e3 * s.rail_y, 3), fixed(s.angle * 180 / M_PI, 3),
           fixed(1e3 * s.rolling_radius, 4), fixed(1e3 * row.contact.roll, 4),
           fixed(1e3 * s.lift, 4), fixed(1e6 * wheel.approach, 1), fixed(1e3 * first.a, 2),
           fixed(1e3 * first.b, 2), rest);
    }
  }
}

}  // namespace klingel::cli
