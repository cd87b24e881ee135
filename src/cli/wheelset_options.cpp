#include "cli/wheelset_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "profile/named_profile.hpp"

namespace klingel::cli {
namespace {

using profile::Side;

// "1:40", or an angle in rad.
double read_lean(const std::string& text) {
  if (text.find(':') != std::string::npos) {
    return profile::read_inclination(text, "--inclination");
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    base::fail("--inclination {}: expected a ratio such as 1:40, or an angle in rad", text);
  }
  return value;
}

void add_profile(Command& c, const std::string& what, const std::string& examples,
                 WheelsetOptions::Names& names) {
  const std::string option = "--" + what;
  const std::string Name = what == "wheel" ? "Wheel" : "Rail";
  c.option(option, names.both, fmt::format("{} profile: a name ({}) or a file", Name, examples))
      .names(Names::profile);
  for (const char* side : {"left", "right"}) {
    c.option(option + "-" + side, side[0] == 'l' ? names.left : names.right,
             fmt::format("{} profile of the {} side, if it differs", Name, side))
        .names(Names::profile);
  }
}

void check_named(const std::string& what, const WheelsetOptions::Names& names) {
  const bool left = !names.of(Side::left).empty(), right = !names.of(Side::right).empty();
  if (left && right) return;
  const char* side = left ? "-right" : right ? "-left" : "";
  base::fail("--{}{} is missing: which {} profile?\n    for example --wheel S1002 --rail 60E1:1:40",
             what, side, what);
}

}  // namespace

void add_wheelset_options(Command& c, WheelsetOptions& o) {
  add_profile(c, "wheel", "S1002", o.wheel);
  add_profile(c, "rail", "60E1, 60E1:1:40", o.rail);
  c.option("--flange-back", o.flange_back, "Distance between the backs of the flanges")
      .unit("mm")
      .above(0)
      .at_most(5000);
  c.option("--gauge", o.gauge, "Track gauge").unit("mm").above(0).at_most(5000);
  c.option("--gauge-height", o.gauge_height, "Depth below the top of the rail where it is measured")
      .unit("mm")
      .above(0)
      .at_most(100);
  c.option("--radius", o.radius, "Wheel radius at the taping line")
      .unit("mm")
      .at_least(50)
      .at_most(5000);
  c.option("--inclination", o.inclination,
           "Inclination of the rails towards the centre, 1:40 or an angle in rad; added to that of "
           "the profile")
      .value("1:N");
  c.option("--roll", o.roll,
           "Roll angle in rad, left side up; each wheel is lowered on its own rail. Or 'auto': the "
           "roll angle at which both wheels touch")
      .value("ANGLE");
}

std::optional<double> roll_of(const WheelsetOptions& o) {
  if (o.roll == "auto") return std::nullopt;
  double value = 0;
  const char* end = o.roll.data() + o.roll.size();
  const auto [stop, error] = std::from_chars(o.roll.data(), end, value);
  if (error != std::errc() || stop != end || !(std::abs(value) < 1)) {
    base::fail("--roll {}: expected 'auto' or an angle below 1 rad", o.roll);
  }
  return value;
}

Wheelset make_wheelset(const WheelsetOptions& o) {
  check_named("wheel", o.wheel);
  check_named("rail", o.rail);
  Wheelset w;
  w.sides_differ = o.wheel.differ() || o.rail.differ();
  const auto profiles = [&o](Side side) -> contact::SideProfiles {
    return {profile::profile(o.wheel.of(side), profile::ProfileKind::wheel),
            profile::profile(o.rail.of(side), profile::ProfileKind::rail)};
  };
  w.left = profiles(Side::left);
  w.right = w.sides_differ ? profiles(Side::right) : w.left;
  contact::WheelsetPlacement p;
  p.flange_back_distance = 1e-3 * o.flange_back;
  p.gauge = 1e-3 * o.gauge;
  p.gauge_depth = 1e-3 * o.gauge_height;
  p.radius = 1e-3 * o.radius;
  p.inclination = read_lean(o.inclination);
  w.geometry = std::make_unique<contact::WheelsetGeometry>(w.left, w.right, p);
  return w;
}

std::string description(const Wheelset& w) {
  const auto text = [](const contact::SideProfiles& side) {
    return side.wheel.name + " on " + side.rail.name;
  };
  if (!w.sides_differ) return text(w.left);
  return fmt::format("left {}, right {}", text(w.left), text(w.right));
}

}  // namespace klingel::cli
