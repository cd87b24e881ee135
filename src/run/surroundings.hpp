// What vehicles of one kind on one track share: data, tables and maps that are made once and do not
// change.
#pragma once

#include <vector>

#include "run/vehicle.hpp"
#include "wheelrail/flange_reach.hpp"
#include "wheelrail/hertz.hpp"
#include "wheelrail/jump_map.hpp"

namespace klingel::run {

struct Surroundings {
  explicit Surroundings(VehicleData given);
  Surroundings(const Surroundings&) = delete;  // its parts point to each other
  Surroundings& operator=(const Surroundings&) = delete;

  const VehicleData data;
  const wheelrail::HertzTable hertz;
  const wheelrail::KalkerTable kalker;
  // by wheel, of rigid treads
  std::vector<wheelrail::ContactSearch> searches;
  std::vector<wheelrail::JumpMap> maps;
  std::vector<wheelrail::FlangeReach> reaches;
};

}  // namespace klingel::run
