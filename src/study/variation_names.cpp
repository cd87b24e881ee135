#include "study/variation_names.hpp"

#include <algorithm>
#include <array>

namespace klingel::study {
namespace {

constexpr std::array<const char*, 3> of_start = {"speed", "position", "friction"};
constexpr std::array<const char*, 3> of_curve = {"curve.radius", "curve.cant_deficiency",
                                                 "curve.speed"};
constexpr std::array<const char*, 9> of_scenario = {"track",         "law",          "integrator",
                                                    "wheel_profile", "rail_profile", "seed",
                                                    "step",          "duration",     "interval"};
constexpr std::array<const char*, 5> of_texts = {"track", "law", "integrator", "wheel_profile",
                                                 "rail_profile"};
constexpr std::string_view track_prefix = "track.";

template <class Names>
bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_of_start(const std::string& name) { return has(of_start, name); }
bool is_of_curve(const std::string& name) { return has(of_curve, name); }
bool is_of_scenario(const std::string& name) {
  return has(of_scenario, name) || name.starts_with(track_prefix);
}
bool names_texts(const std::string& name) { return has(of_texts, name); }
bool may_be_text(const std::string& name) { return name.starts_with(track_prefix); }

std::vector<std::string> variation_names() {
  std::vector<std::string> names;
  names.insert(names.end(), of_start.begin(), of_start.end());
  names.insert(names.end(), of_scenario.begin(), of_scenario.end());
  names.insert(names.end(), of_curve.begin(), of_curve.end());
  return names;
}

void set_change(ScenarioChanges& c, const std::string& name, double number,
                const std::string& text) {
  if (name == "track")
    c.track = text;
  else if (name == "law")
    c.law = text;
  else if (name == "integrator")
    c.integrator = text;
  else if (name == "wheel_profile")
    c.wheel_profile = text;
  else if (name == "rail_profile")
    c.rail_profile = text;
  else if (name == "seed")
    c.track_values.push_back({"irregularity.seed", text});
  else if (name.starts_with(track_prefix))
    c.track_values.push_back({name.substr(track_prefix.size()), text});
  else if (name == "step")
    c.step = number;
  else if (name == "duration")
    c.duration = number;
  else if (name == "interval")
    c.interval = number;
  else if (name == "speed")
    c.speed = number;
  else if (name == "position")
    c.position = number;
  else if (name == "friction")
    c.friction = number;
  else
    c.parameters.push_back({name, text});
}

}  // namespace klingel::study
