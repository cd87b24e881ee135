#include "cli/export_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/lookup.hpp"
#include "base/nearest.hpp"
#include "cli/pipeline.hpp"
#include "cli/shipped.hpp"
#include "estimate/experiment.hpp"
#include "examples/mechanisms.hpp"

namespace klingel::cli {
namespace {

const examples::Mechanism* mechanism_named(const std::string& name) {
  for (const examples::Mechanism& e : examples::mechanisms())
    if (e.name == name) return &e;
  return nullptr;
}

bool is_shipped_vehicle(const std::string& what) {
  return !base::find_shipped(base::scenarios, what).empty() ||
         !base::find_shipped(base::vehicles, what).empty();
}

bool is_vehicle(const std::string& what) {
  return !base::look_up(base::scenarios, what, {}).empty() ||
         !base::look_up(base::vehicles, what, {}).empty();
}

packaging::Parts mechanism_parts(const examples::Mechanism& e) {
  const Pipeline p = describe(e.name, e.build);
  capi::MechanismDescription d;
  for (const mech::Constraint& c : p.model->constraints()) d.constraints.push_back(c.name);
  std::istringstream held(e.held);
  for (std::string name; held >> name;) d.held.push_back(name);
  d.method = e.method;
  d.step = e.step;
  d.duration = e.duration;
  return packaging::mechanism_parts(*p.program, "mechanism '" + std::string(e.name) + "'", d);
}

bool any(const ScenarioArguments& a) {
  return !a.track.empty() || !a.wheel_profile.empty() || !a.rail_profile.empty() || a.speed ||
         a.position || a.step || a.friction || !a.settings.empty();
}

// Nothing has this name: all there is.
[[noreturn]] void refuse(const std::string& what) {
  std::vector<std::string> known;
  std::string lists;
  for (const std::string_view kind : {"vehicles", "scenarios", "estimates", "examples"}) {
    const std::vector<std::string> names = shipped(kind);
    known.insert(known.end(), names.begin(), names.end());
    lists += fmt::format("\n    shipped {}: {}", kind == "examples" ? "mechanisms" : kind,
                         fmt::join(names, ", "));
  }
  base::fail("there is no vehicle, scenario, estimate or mechanism '{}'{}\n    and no such file{}",
             what, base::did_you_mean(what, known), lists);
}

packaging::Parts filter_parts(const std::string& what) {
  const estimate::Experiment experiment(estimate::load_estimate(what), {});
  const estimate::Estimate& file = experiment.file();
  // a short recording of its own twin, or of the file's
  constexpr std::size_t selftest_steps = 500;
  return packaging::filter_parts(experiment.scenario(), {file.name, file.setup, file.start,
                                                         experiment.samples(selftest_steps)});
}

}  // namespace

packaging::Parts parts_of(const std::string& what, const ScenarioArguments& arguments) {
  if (!is_shipped_vehicle(what) && estimate::names_estimate(what)) {
    if (any(arguments))
      base::fail(
          "'{}' is an estimate: its file says track, speed, step and parameters of the filter; "
          "options of scenarios are for vehicles",
          what);
    return filter_parts(what);
  }
  const examples::Mechanism* mechanism = mechanism_named(what);
  if (mechanism != nullptr && !is_vehicle(what)) {
    if (any(arguments))
      base::fail(
          "'{}' is a mechanism: --track, --speed, --step, --friction and --set are for vehicles",
          what);
    return mechanism_parts(*mechanism);
  }
  if (!is_vehicle(what)) refuse(what);
  packaging::Parts parts = packaging::vehicle_parts(scenario_of(what, arguments));
  // as it was asked for; a vehicle alone runs a scenario of another name
  const std::filesystem::path path = what;
  const bool in_folder = path.filename() == base::vehicles.in_folder;
  const std::string name = (in_folder ? path.parent_path().filename() : path.stem()).string();
  if (!name.empty()) parts.name = packaging::c_name(name);
  return parts;
}

}  // namespace klingel::cli
