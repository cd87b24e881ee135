// What the simulator is given of a vehicle on its track: wheels and rails with their profiles, the
// laws of their contact as the scenario chooses them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contact/loaded_pair.hpp"
#include "model/build.hpp"
#include "step/vehicle_data.hpp"
#include "track/track.hpp"
#include "vehicle/scenario.hpp"

namespace klingel::compile {

// What was read.
struct Files {
  vehicle::Scenario scenario;
  vehicle::Vehicle vehicle;
  track::Track track;
  std::filesystem::path track_folder;  // of its file
};

// The kernels must outlive it; only rigid treads need those of contacts.
step::VehicleData vehicle_data(const Files& files, const model::VehicleModel& model,
                               const klingel_kernel& vehicle, const klingel_kernel* contact,
                               const step::Units& units);

// What the scenario says of the sheets of loaded contact; the flange zone is that of a rigid tread
// unless it is given.
contact::SheetChoice sheet_choice(const vehicle::Scenario& scenario);

// A warning for each profile whose curvature changes its sign again and again: measured ones with
// waves of some micrometres. Loaded contact averages over its patch, a rigid point follows each
// wave.
std::vector<std::string> wavy_profiles(const Files& files, const model::VehicleModel& model);

}  // namespace klingel::compile
