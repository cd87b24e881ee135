// What vehicles of one kind on one track share: data, tables and maps that are made once and do not
// change.
#pragma once

#include <vector>

#include "contact/flange_reach.hpp"
#include "contact/hertz.hpp"
#include "contact/jump_map.hpp"
#include "step/vehicle_data.hpp"

namespace klingel::step {

struct Surroundings {
  explicit Surroundings(VehicleData given);
  Surroundings(const Surroundings&) = delete;  // its parts point to each other
  Surroundings& operator=(const Surroundings&) = delete;

  const VehicleData data;
  const contact::HertzTable hertz;
  const creep::KalkerTable kalker;
  // by wheel, of rigid treads
  std::vector<contact::ContactSearch> searches;
  std::vector<contact::JumpMap> maps;
  std::vector<contact::FlangeReach> reaches;
};

}  // namespace klingel::step
