// Vehicle data from files: wheels and rails with their profiles, laws from the scenario.
#include "compile/vehicle_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "profile/named_profile.hpp"
#include "profile/profile_report.hpp"
#include "start/static_loads.hpp"
#include "start/wheel_charts.hpp"
#include "sym/depends.hpp"

namespace klingel::compile {
namespace {

using contact::Interval;
using profile::Profile;
using profile::ProfileKind;
using profile::Side;

// Where on a wheel its first and its second point are looked for. The flange is at negative y
// of the profile, so on the left of a right wheel. Without a second point the first one may be
// anywhere.
void set_zones(step::WheelData& wheel, const vehicle::Scenario& scenario) {
  if (!scenario.flange) return;
  const bool left = wheel.side == Side::left;
  const spline::CubicSpline& f_w = wheel.surface.f_w;
  const double begin = scenario.flange_begin, end = scenario.flange_end;
  wheel.tread = left ? Interval{-begin, f_w.end()} : Interval{f_w.begin(), begin};
  wheel.flange = left ? Interval{-end, -begin} : Interval{begin, end};
}

// Surfaces of wheels. A train has hundreds of wheels and few different ones: each of these is made
// once.
class WheelSurfaces {
 public:
  explicit WheelSurfaces(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const contact::WheelSurface& operator()(const model::WheelPlace& w) {
    const auto [it, is_new] = made_.try_emplace({w.profile, w.side, w.radius});
    if (is_new) {
      const Profile profile = profile::profile(w.profile, ProfileKind::wheel, folder_);
      it->second = {profile::wheel_function(profile, w.side, w.radius)};
    }
    return it->second;
  }

 private:
  std::filesystem::path folder_;
  std::map<std::tuple<std::string, Side, double>, contact::WheelSurface> made_;
};

step::ContactLaw law_of(const vehicle::Scenario& scenario, const vehicle::Vehicle& vehicle) {
  step::ContactLaw law;
  law.creep = vehicle::creep_model(scenario);
  const vehicle::Material material = vehicle::material(vehicle, scenario);
  law.E = material.E, law.poisson = material.poisson, law.G = material.G;
  law.kalker = scenario.kalker == "smooth" ? creep::KalkerInterpolation::smooth
                                           : creep::KalkerInterpolation::linear;
  law.B_floor = scenario.tread == "rigid" ? scenario.curvature_floor : 0;
  law.rail_stiffness = scenario.rail_stiffness, law.rail_damping = scenario.rail_damping;
  law.flange = {contact::ElasticLaw::linear, scenario.flange_stiffness, scenario.flange_damping};
  law.unilateral = scenario.contact != "bilateral";
  return law;
}

}  // namespace

contact::SheetChoice sheet_choice(const vehicle::Scenario& scenario) {
  contact::SheetChoice choice;
  choice.flange = scenario.flange;
  if (scenario.places.contains("contact.flange_zone")) choice.split = -scenario.flange_begin;
  return choice;
}

step::VehicleData vehicle_data(const Files& files, const model::VehicleModel& model,
                               const klingel_kernel& vehicle, const klingel_kernel* contact,
                               const step::Units& units) {
  const track::Track& track = files.track;
  if (track.left_profile.empty() || track.right_profile.empty()) {
    base::fail("the track '{}' names no rail profile; add 'rail_profile' to its file", track.name);
  }
  const auto rail = [&](const std::string& name, Side side) {
    return profile::rail_function(profile::profile(name, ProfileKind::rail, files.track_folder),
                                  side);
  };
  step::VehicleData data;
  data.name = files.vehicle.name;
  data.vehicle = &vehicle;
  data.units = units;
  data.contact = contact;
  data.left = {rail(track.left_profile, Side::left), track.left};
  data.right = {rail(track.right_profile, Side::right), track.right};
  data.law = law_of(files.scenario, files.vehicle);
  data.friction = files.scenario.friction;
  for (const mech::Measure& m : model.mechanics.measures())
    data.measures.push_back(
        {m.name, m.unit, m.about, sym::depends_on(m.value, sym::SymbolKind::acceleration)});
  for (const model::WheelsetPlace& w : model.wheelsets) data.wheelsets.push_back(w.name);
  WheelSurfaces surfaces(files.vehicle.folder);
  for (const model::WheelPlace& w : model.wheels) {
    step::WheelData wheel;
    wheel.name = w.name;
    wheel.wheelset = w.wheelset;
    wheel.side = w.side;
    wheel.y_w = w.y_w;
    wheel.surface = surfaces(w);
    set_zones(wheel, files.scenario);
    data.wheels.push_back(std::move(wheel));
  }
  if (files.scenario.tread != "loaded") return data;
  const track::Foundation& f = track.foundation;
  data.law.foundation = {f.mass, f.lateral_stiffness, f.lateral_damping, f.vertical_stiffness,
                         f.vertical_damping};
  std::vector<start::RailProfiles> places;
  for (const track::RailProfilePlace& place : track.profile_places)
    places.push_back({place.s, rail(place.left, Side::left), rail(place.right, Side::right)});
  const std::vector<double> loads = start::static_loads(data);
  if (places.empty())
    start::give_charts(data, loads, sheet_choice(files.scenario));
  else
    start::give_charts(data, places, loads, sheet_choice(files.scenario));
  return data;
}

std::vector<std::string> wavy_profiles(const Files& files, const model::VehicleModel& model) {
  constexpr int many = 8;
  std::vector<std::string> seen, warnings;
  const auto look = [&](const std::string& name, const std::filesystem::path& folder,
                        ProfileKind kind) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return;
    seen.push_back(name);
    const int changes =
        profile::profile_report(profile::profile(name, kind, folder)).curvature_sign_changes;
    if (changes <= many) return;
    warnings.push_back(fmt::format(
        "the profile '{}' is wavy: its curvature changes its sign {} times where it can touch; {}",
        name, changes,
        files.scenario.tread == "rigid"
            ? "a rigid tread jumps from wave to wave, use tread = \"loaded\""
            : "smooth it if waves longer than 5 mm are not real"));
  };
  for (const std::string& name : {files.track.left_profile, files.track.right_profile})
    look(name, files.track_folder, ProfileKind::rail);
  for (const track::RailProfilePlace& place : files.track.profile_places)
    for (const std::string& name : {place.left, place.right})
      look(name, files.track_folder, ProfileKind::rail);
  for (const model::WheelPlace& w : model.wheels)
    look(w.profile, files.vehicle.folder, ProfileKind::wheel);
  return warnings;
}

}  // namespace klingel::compile
