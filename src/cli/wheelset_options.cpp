#include "cli/wheelset_options.hpp"

#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "wheelrail/named_profile.hpp"

namespace klingel::cli {
namespace {

// "1:40", or an angle in rad.
double read_lean(const std::string& text) {
  if (text.find(':') != std::string::npos) {
    return wheelrail::read_inclination(text, "--inclination");
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    base::fail("--inclination {}: expected a ratio such as 1:40, or an angle in rad", text);
  }
  return value;
}

}  // namespace

void add_wheelset_options(CLI::App& command, WheelsetOptions& o) {
  command.add_option("--wheel", o.wheel, "Wheel profile: a name (S1002) or a file");
  command.add_option("--rail", o.rail, "Rail profile: a name (60E1, 60E1:1:40) or a file");
  command.add_option("--flange-back", o.flange_back, "Distance of the flange backs, mm")
      ->capture_default_str();
  command.add_option("--gauge", o.gauge, "Gauge of the track, mm")->capture_default_str();
  command.add_option("--gauge-height", o.gauge_height, "Depth below the rail's top for it, mm")
      ->capture_default_str();
  command.add_option("--radius", o.radius, "Wheel radius at the taping line, mm")
      ->capture_default_str();
  command
      .add_option("--inclination", o.inclination,
                  "Lean of the rails to the centre, 1:40 or rad, on top of their profile's own")
      ->capture_default_str();
  command
      .add_option("--roll", o.roll,
                  "Roll (left side up) in rad, each wheel then stands on its rail alone; "
                  "auto: both wheels touch")
      ->capture_default_str();
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
  if (o.wheel.empty() || o.rail.empty()) {
    base::fail("--{} is missing: which {} profile?\n    for example --wheel S1002 --rail 60E1:1:40",
               o.wheel.empty() ? "wheel" : "rail", o.wheel.empty() ? "wheel" : "rail");
  }
  Wheelset w;
  w.wheel = wheelrail::profile(o.wheel, wheelrail::ProfileKind::wheel);
  w.rail = wheelrail::profile(o.rail, wheelrail::ProfileKind::rail);
  wheelrail::WheelsetPlacement p;
  p.flange_back_distance = 1e-3 * o.flange_back;
  p.gauge = 1e-3 * o.gauge;
  p.gauge_depth = 1e-3 * o.gauge_height;
  p.radius = 1e-3 * o.radius;
  p.inclination = read_lean(o.inclination);
  w.geometry = std::make_unique<wheelrail::WheelsetGeometry>(w.wheel, w.rail, p);
  return w;
}

}  // namespace klingel::cli
